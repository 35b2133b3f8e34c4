"""What a learner does alone: drills, news, and looking back."""
