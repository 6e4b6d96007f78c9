"""The subject under test: accountants in float64 that may be wrong."""
