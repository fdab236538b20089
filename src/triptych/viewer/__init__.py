"""`triptych view`: browse Runs, from a figure of a table down to the reply, the recording and the picture.

catalogue   the Runs below a folder, and their addresses
index       a Run as Parquet, rebuilt when its files change; query and comparison read it
originals   media that a Condition removed, from the benchmark's files
exchange    verdicts of judges, and the numbers of media
figures     tables whose numbers link to the Items behind them
pages, app  the pages themselves

The parts shared with other pages (guard, media, waveforms) are in `web`.
"""
