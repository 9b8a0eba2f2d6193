"""What every page stands on: the socket, security, limits, answers and refusals."""
