"""Choices for the proofs of the laws, made in floats: numbers of nodes, steps, strips, cells.

Each is handed over as exact integers and rationals. A poor one costs width or time, never truth: the proof
that takes it checks in balls what it needs of it.
"""
