"""Choices for the proofs of the laws, of nodes, steps, strips and cells, in balls: the same on every machine.

Each is handed over as exact integers and rationals. A poor one costs width or time, never truth: the proof
that takes it checks in balls what it needs of it.
"""
