"""The page: what it is made of, the calls its browser side makes, and the named endpoints."""
