"""Adapters: other people's accountants, called unchanged."""
