"""Bytes and buttons in, light and sound out.

Only this package knows pyserial and gpiozero. It imports floor 0 of `companion` and the wire format
of `firmware`, and nothing else of the project.
"""
