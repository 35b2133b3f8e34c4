"""The tutor, and what it knows of a learner."""
