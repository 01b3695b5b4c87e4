"""Training beside the page: tasks, a line of jobs, and a process for each."""
