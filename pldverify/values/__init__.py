"""Values: what is proved of a mechanism's numbers, from both ends, and how a claimed one stands to it."""
