"""What runs on the dice and the receiver: MicroPython, with modules that CPython imports too."""
