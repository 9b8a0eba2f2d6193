"""Questions about a win: the topics, the score of every answer, and the plan of those that can change it."""
