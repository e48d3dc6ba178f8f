"""Frames in, reports out: where dice lie, which face is up, when they came to rest.

Only this package knows OpenCV. It imports floor 0 of `companion` (actions, offers, dice, clock,
errors) and nothing else of the project.
"""
