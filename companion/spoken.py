"""The table's own voice, in the language of the house: sentences are told in English till here."""

from hardware.alerts import Speaker
from web.i18n import speaking
from web.telling import in_words


class Spoken:
    """Says what the table tells through another voice, in one of the languages of the pages."""

    def __init__(self, voice: Speaker, language: str) -> None:
        self._voice, self._language = voice, language

    def say(self, text: str, priority: int) -> None:
        """Say it soon; a higher priority breaks off a lower one."""
        with speaking(self._language):
            told = in_words(text)
        self._voice.say(told, priority)

    def hush(self) -> None:
        """Be silent, and forget what was to be said."""
        self._voice.hush()

    def close(self) -> None:
        """Be silent for ever."""
        self._voice.close()
