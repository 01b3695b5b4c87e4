"""Load tests of the page: simulated users over loopback; the generator's CPU is measured apart."""
