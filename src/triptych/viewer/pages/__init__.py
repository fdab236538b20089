"""The pages of the viewer: lists, figures, one Item, Runs compared, and what is shown on them."""
