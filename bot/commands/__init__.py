"""The long-running commands of the command line."""
