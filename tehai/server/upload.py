"""What a browser posts: photos with fields beside them, or one JSON object."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from tehai.errors import Mistake
from tehai.hand.inputs import parse_region
from tehai.server.answers import Refusal
from tehai.server.limits import Limits, chunks, whole

if TYPE_CHECKING:
    from vision.reading import Region

_FIELDS = 16
"""Parts of a form beside its photos; more are none of ours."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Photos as sent, and the text fields beside them."""

    photos: tuple[bytes, ...]
    fields: dict[str, str]

    def region(self) -> Region | None:
        """The field ``region``. Raises :class:`Refusal` where it is none."""
        if not self.fields.get("region"):
            return None
        try:
            return parse_region(self.fields["region"])
        except Mistake as mistake:
            raise Refusal(422, "bad_field", str(mistake).removeprefix("--")) from None

    def facts(self) -> dict[str, Any]:
        """The field ``record``: what is known of the hand beside its photo. Raises :class:`Refusal`."""
        return _json_object(self.fields.get("record") or "{}")


class _InMemory(MultiPartParser):
    """Keeps files in memory whatever their size: no photo touches a disk unless it is to be kept."""

    def __init__(self, headers: Headers, stream: AsyncGenerator[bytes, None], limits: Limits) -> None:
        super().__init__(
            headers, stream, max_files=limits.photos, max_fields=_FIELDS, max_part_size=limits.text
        )
        self.spool_max_size = limits.upload + 1


async def read_upload(request: Request, limits: Limits, most: int) -> Upload:
    """The photos (parts named ``photo``) and fields of a form of ``most`` bytes.

    Raises :class:`Refusal` for what is none.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise Refusal(415, "not_a_form", "Send the photo as multipart/form-data, in a part named photo.")
    parser = _InMemory(request.headers, chunks(request, most, limits), limits)
    try:
        form = await parser.parse()
    except MultiPartException as error:
        raise Refusal(400, "broken_form", f"The form cannot be read: {error.message}") from None
    photos, fields = [], {}
    try:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields[name] = value
            elif name == "photo":
                photos.append(await value.read())
    finally:
        await form.close()
    if not photos:
        raise Refusal(422, "no_photo", "The form holds no photo: send it in a part named photo, with a name.")
    return Upload(tuple(photos), fields)


async def read_json(request: Request, limits: Limits) -> dict[str, Any]:
    """The body as a JSON object. Raises :class:`Refusal` for what is none."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(415, "not_json", "Send application/json.")
    return _json_object(await whole(request, limits.text, limits))


def _json_object(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal(400, "broken_json", "That is not JSON.") from None
    if not isinstance(value, dict):
        raise Refusal(422, "bad_field", "A JSON object is wanted.")
    return value
