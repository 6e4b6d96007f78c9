"""What proves: lemmas applied to explicit, exact parameters."""
