"""The one SQLite file: the only SQL of the project."""
