"""Commands for who changes the project; the page needs none of them."""
