"""What comes by itself: on its way out, and what is pressed on it."""
