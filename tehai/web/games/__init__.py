"""Games that several phones share: a log of changes that only grows, and who follows it."""
