"""A class at the page: people who click, over loopback, with the generator's own cost apart."""
