"""The page as a folder of files, for any web server or none of our own."""
