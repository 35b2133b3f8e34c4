"""Presses, modals and layouts: what a learner touches."""
