"""What can go wrong, by cause.

CompanionError
├── IllegalAction   (ValueError)  not now, or not at all; nothing changed; carries a stable code
│   └── StaleTap                  the offer that a tap answers has left the table
├── ConfigError     (ValueError)  a setting that does not fit; says what to write
├── JournalError    (OSError)     a step could not be made durable, or read back
├── DeviceError     (OSError)     a camera, port or pin that does not answer
└── PictureError    (ValueError)  a file or frame that is no picture
"""

from typing import Any


class CompanionError(Exception):
    """Root of everything that the companion raises on purpose."""

    def __str__(self) -> str:
        """What it says; a sentence that can be told in another language stays one."""
        said = self.args[0] if len(self.args) == 1 else None
        return said if isinstance(said, str) else super().__str__()


class IllegalAction(CompanionError, ValueError):
    """An action that the table does not accept; nothing has changed.

    code     stable name for programs, such as `die_blocked`.
    message  one sentence for people.
    details  further facts for programs, such as the step that does not fit.
    """

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.details = details


class StaleTap(IllegalAction):
    """A tap that answers an offer which has left the table since."""


class ConfigError(CompanionError, ValueError):
    """A setting, option or data pack that does not fit; the message says what to write."""


class JournalError(CompanionError, OSError):
    """The journal cannot be written or read; the message names the file and the cause."""


class DeviceError(CompanionError, OSError):
    """A device that is missing, busy or silent; the message says what to check."""


class PictureError(CompanionError, ValueError):
    """Something that is no picture; the message names it and says what was expected."""
