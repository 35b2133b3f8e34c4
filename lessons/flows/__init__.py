"""The stories: what happens from a request to its outcome, told over ports and pure modules."""
