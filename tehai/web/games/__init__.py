"""Games that several phones share: a growing log of changes, and the clients that follow it."""
