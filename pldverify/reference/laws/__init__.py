"""Laws of the privacy loss: one file a family, each with its transform, decay and proofs."""
