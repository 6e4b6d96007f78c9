"""Claims files: reported budgets in plain terms, and the rulings on them."""
