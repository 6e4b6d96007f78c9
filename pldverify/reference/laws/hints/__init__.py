"""Choices for the proofs of the laws: numbers of nodes, steps, strips, cells, most of them made in floats.

Each is handed over as exact integers and rationals. A poor one costs width or time, never truth: the proof
that takes it checks in balls what it needs of it.
"""
