"""Recurring work, each job a few lines around one flow."""
