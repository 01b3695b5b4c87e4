"""Development commands; the page needs none of them."""
