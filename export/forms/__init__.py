"""Other forms of the same traced network, and the proof that each is the same network."""
