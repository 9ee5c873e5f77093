"""The commands of `snakebo`, a file for each kind. They parse, call and print; the work is done elsewhere."""
