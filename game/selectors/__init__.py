"""What pages show: reads in a number of queries that does not grow, and nothing that changes anything."""
