"""Hunt: searches for the questions on which an accountant is worst, and reports them."""
