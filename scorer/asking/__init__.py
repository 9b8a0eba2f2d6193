"""What to ask: topics, what every answer would be worth, the plan of questions that can change the score."""
