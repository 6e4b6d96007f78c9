"""Certificates: the verdict on a reported budget."""
