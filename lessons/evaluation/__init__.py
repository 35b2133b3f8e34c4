"""Evidence that recall works, or that it does not: metrics, ablations and reports as values."""
