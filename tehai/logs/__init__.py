"""Read and write the game logs of other programs."""
