"""Reads hostile bytes: everything here runs in a process of its own, and nothing here opens a connection."""
