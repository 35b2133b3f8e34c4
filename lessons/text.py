"""Text folding that every room shares: what two spellings of the same answer have in common."""
