"""The messages of drills, of the lessons that explain them (``scorer.telling.catalogue``), and of the pages
(``pages.toml``).

``tehai/learn/locale/<language>/LC_MESSAGES/learn.po`` is the source; ``learn.mo`` beside it is compiled from
it.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from scorer.own_yaku import OwnYaku
from scorer.telling.catalogue import Catalogue
from tehai.learn import course, pages

LOCALE: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "learn"


class Texts(Catalogue):
    """The messages of drills and lessons in one language. Raises :class:`ValueError` for an unknown one."""

    __slots__ = ("_drills", "_pages")

    def __init__(
        self, language: str, vocabulary: str, own: Mapping[str, OwnYaku] = MappingProxyType({})
    ) -> None:
        super().__init__(language, vocabulary, own)
        self._pages = {**pages.texts(language), **course.texts(language)}
        self._drills = gettext.translation(DOMAIN, LOCALE, [language]).gettext

    def message(self, id_: str) -> str:
        """The format text of a message. Raises :class:`KeyError` for an unknown one."""
        if id_ in self._pages:
            return self._pages[id_]
        text = self._drills(id_)
        return super().message(id_) if text == id_ else text
