"""Anyone's tables: reading CSV, TSV, Markdown, HTML, LaTeX and XLSX files as grids of printed cells."""
