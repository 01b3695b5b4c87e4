"""The proof pack: the files, what they must answer, and how to run them anywhere."""
