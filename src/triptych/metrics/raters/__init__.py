"""Agreement of raters on labels and annotations."""
