"""The page's application as in a browser: ``python -m tests.tehai.web.browser`` reads a photo, sent as its
pixels, by numpy alone and with networks that somebody else runs.

Networks that see what was painted stand in: a tile's grey says its face, and the last of them won.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

BLOCKED = ("cv2", "onnxruntime", "PIL", "rich", "uvicorn")
sys.modules.update(dict.fromkeys(BLOCKED))  # importing one of them raises ModuleNotFoundError

import numpy as np  # noqa: E402

from models.maps import encode  # noqa: E402
from tehai.web.app import make_app  # noqa: E402
from tehai.web.worker_pool import WorkerPool  # noqa: E402
from vision import pixels  # noqa: E402
from vision.arrays import Array32, Pixels  # noqa: E402
from vision.detections import ROLES  # noqa: E402
from vision.labels import CLASSES, WITH_FOREIGN  # noqa: E402
from vision.maps import Encoding  # noqa: E402
from vision.reader import Reader  # noqa: E402
from vision.scene.inputs import LOGITS, QUAD  # noqa: E402

HAND = ["2m", "3m", "4m", "5p", "6p", "7p", "2s", "2s", "3s", "4s", "5s", "6z", "6z", "6z"]
WIDTH, HEIGHT, SIDE = 1000, 300, 60
GREYS = {label: 40 + 5 * k for k, label in enumerate(CLASSES)}


def quads() -> Array32:
    """The tiles in one row, three quarters as wide as they are high."""
    lefts = 40 + np.arange(len(HAND)) * SIDE * 0.75
    corners = np.array([[0, 0], [0.75, 0], [0.75, 1], [0, 1]]) * SIDE
    return (corners + np.stack([lefts, np.full(len(HAND), 120.0)], 1)[:, None]).astype(np.float32)


def photo() -> bytes:
    """The row as a PPM."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for (x0, y0), (x1, y1), label in zip(
        quads()[:, 0].astype(int), quads()[:, 2].astype(int), HAND, strict=True
    ):
        picture[y0:y1, x0:x1] = GREYS[label]
    return b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + picture.tobytes()


class Finder:
    metadata: Mapping[str, str] = {
        "task": "finder",
        "settings": json.dumps(
            {"encoding": {}, "threshold": 0.3, "overlap": 0.4, "long_side": 640, "multiple": 32}
            | {"smallest": 18.0, "largest": 75.0, "wanted": 40.0}
        ),
    }

    def run(self, pictures: Pixels) -> Sequence[Array32]:
        height, width = pictures.shape[1:3]
        lit = np.flatnonzero((pictures[0] > 20).any(axis=(0, 2)) & (pictures[0] != 114).any(axis=(0, 2)))
        scale = (lit[-1] + 1 - lit[0]) / (len(HAND) * SIDE * 0.75)
        top = np.flatnonzero(pictures[0][:, lit[0] + 2, 0] > 20)[0]
        moved = (quads() - quads()[0, 0]) * scale + np.array([lit[0], top])
        maps, _ = encode(moved.astype(np.float32), height // 4, width // 4, Encoding())
        return [maps[None]]


class Faces:
    metadata: Mapping[str, str] = {
        "task": "faces",
        "classes": json.dumps(CLASSES),
        "settings": json.dumps({"crop": {"width": 64, "height": 80, "margin": 1.25}, "passes": 2}),
    }

    def run(self, pictures: Pixels) -> Sequence[Array32]:
        shown = pictures[:, 30:50, 22:42].mean(axis=(1, 2, 3))
        far = np.abs(shown[:, None] - np.array([GREYS[label] for label in CLASSES]))
        logits = np.where(far < 2.5, 9.0, 0.0).astype(np.float32)
        upright = np.array([9.0, 0, 0, 0], np.float32)
        offsets, maps = (np.zeros((len(shown), *size), np.float32) for size in ((8,), (120, 2)))
        return [logits, np.tile(upright, (len(shown), 1)), offsets, maps]


class Scene:
    metadata: Mapping[str, str] = {
        "task": "scene",
        "roles": json.dumps(ROLES),
        "classes": json.dumps(WITH_FOREIGN),
        "settings": json.dumps({"calibration": {}}),
    }

    def run(self, pictures: Array32) -> Sequence[Array32]:
        """All tiles are one player's, and none are a called set."""
        (rows,) = pictures
        roles = np.full((len(rows), len(ROLES)), -9.0, np.float32)
        roles[:, ROLES.index("hand")] = 0.0
        roles[rows[:, QUAD][:, ::2].mean(axis=1).argmax()] = np.where(np.array(ROLES) == "win", 0.0, -9.0)
        faces = rows[:, LOGITS] - np.log(np.exp(rows[:, LOGITS]).sum(axis=1, keepdims=True))
        alike = np.ones((len(rows), len(rows)), np.float32)
        return [roles[None], faces[None], np.stack([9 * alike, -9 * alike])[None]]


NETWORKS: Mapping[str, Any] = {"finder": Finder, "faces": Faces, "scene": Scene}


async def post(app: Any, path: str, body: bytes, kind: str) -> dict[str, Any]:
    sent: list[dict[str, Any]] = []
    headers = [(b"host", b"localhost"), (b"content-type", kind.encode())]
    scope = {
        "type": "http", "method": "POST", "path": path, "query_string": b"",
        "headers": [*headers, (b"content-length", str(len(body)).encode())],
    }  # fmt: skip
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answer = b"".join(message.get("body", b"") for message in sent)
    assert sent[0]["status"] == 200, answer
    answered: dict[str, Any] = json.loads(answer)
    return answered


def main() -> None:
    assert pixels.backend() is pixels.pixels_numpy
    reader = Reader(load=lambda path, threads: NETWORKS[path.stem]())
    app = make_app(WorkerPool(reader))
    kind = "multipart/form-data; boundary=limit"
    head = b'--limit\r\nContent-Disposition: form-data; name="photo"; filename="a.ppm"\r\n\r\n'
    answer = asyncio.run(post(app, "/api/read", head + photo() + b"\r\n--limit--\r\n", kind))
    assert [tile["label"] for tile in answer["reading"]["tiles"]] == HAND, answer["reading"]
    assert answer["result"]["status"] == "ok", answer["result"]
    assert not [name for name in BLOCKED if sys.modules[name]]


if __name__ == "__main__":
    main()
