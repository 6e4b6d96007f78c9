"""Choices for what is sooner, as ``laws/hints`` has them: a poor one costs width or time, never truth."""
