"""The proof pack: the files, their expected values, and examples of running them anywhere."""
