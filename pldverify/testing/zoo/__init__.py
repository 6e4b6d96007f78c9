"""Zoo: faulty accountants, each with the check that must find it. Their defects are those of real ones."""
