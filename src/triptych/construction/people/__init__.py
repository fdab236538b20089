"""Stages that ask people: tasks, forms and sheets, and the results that come back."""
