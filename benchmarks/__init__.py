"""What was measured and can be measured again: ratios of two ways or two moments within one run."""
