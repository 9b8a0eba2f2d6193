"""A score told: what the hand has, what it nearly has, and why it is worth what it is."""
