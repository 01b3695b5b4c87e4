"""Other forms of the traced network, and the proof that each computes the same."""
