"""Training beside the page: a queue of jobs, and a process for each."""
