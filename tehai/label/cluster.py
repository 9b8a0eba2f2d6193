"""Photos read by the workers of a Ray cluster, on Ray Data (https://docs.ray.io/en/latest/data/data.html).

The workers fetch, hash and read; the process that started the run alone writes the journal.
"""

from __future__ import annotations

import logging
import math
import os
import pickle
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from tehai.doctor import models
from tehai.errors import Mistake
from tehai.label.address import INSTALL
from tehai.label.labeller import PhotoResult
from tehai.label.workers import BREAKS, DYING, FALLEN, WORKER_BYTES, Job, labeller

BATCH: Final = 16
"""Photos that a worker takes at once: what is read again when it is lost, and how long nothing is heard of
it. Ray takes 2 ms to lay out a batch, before the first is read, and some more to hand it over."""

MEMORY: Final = WORKER_BYTES + 200_000_000
"""Memory for a worker, and for what it needs of Ray (measured: 160 MB)."""

TRIES: Final = 3
"""How often reading a photo is begun before it is taken for the reason why its workers die. A worker may be
lost for reasons of its own, so once more than among processes of one machine."""


@contextmanager
def joined() -> Iterator[None]:
    """In the cluster that ``RAY_ADDRESS`` names, or else the one that runs on this machine, or else one of
    this machine alone, started for the run (``RAY_ADDRESS=local`` starts it in any case).

    Raises :class:`Mistake` where Ray is not installed or the cluster does not answer.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Each start of a worker with arguments would be an error on the terminal (ray-project/ray#53727).
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    # What the machines of the cluster report of workers that were lost: others read their photos.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray
        import ray.data  # its own packages may be missing
    except ImportError:
        raise Mistake(f"Ray is not installed; install it with: {INSTALL}") from None
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    ray.data.DataContext.get_current().enable_progress_bars = False
    if ray.is_initialized():
        yield
        return
    try:
        _reach(os.environ.get("RAY_ADDRESS", ""))
        ray.init(logging_level=logging.ERROR, log_to_driver=False)
    except (OSError, ValueError, RuntimeError) as reason:
        raise Mistake(f"The Ray cluster cannot be joined ({reason}); check RAY_ADDRESS.") from None
    try:
        yield
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raises OSError where nobody answers at ``host:port``: Ray would ask for minutes."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def read_all(
    jobs: Sequence[Job], workers: int | None, settled: Sequence[str], stopped: Callable[[], bool]
) -> Iterator[tuple[Job, PhotoResult]]:
    """Each photo with what came of it, as they get done, each once: what a lost worker had in work is read by
    another one. ``settled``: hashes of contents that need no reading; ``workers``: as many as the cluster has
    room for unless said.

    Raises :class:`Mistake` where the workers cannot start, and where they die one after another.
    """
    import ray
    from ray.data import ActorPoolStrategy
    from ray.exceptions import RayError

    if not jobs:
        return
    room = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    batch = min(BATCH, math.ceil(len(jobs) / (4 * room)))
    rows = [{"number": number, "file": pickle.dumps(job.file)} for number, job in enumerate(jobs)]
    attempts = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Attempts).remote()
    pool = ActorPoolStrategy(size=workers) if workers else ActorPoolStrategy(min_size=1)
    data = ray.data.from_items(rows, override_num_blocks=math.ceil(len(rows) / batch)).map_batches(
        Worker,
        batch_size=batch,
        compute=pool,
        num_cpus=1,
        memory=MEMORY,
        fn_constructor_args=(attempts, ray.put(Settled.of(settled)), _digests()),
    )
    breaks = 0
    try:
        for handed_in in data.iter_batches(batch_size=None, batch_format="pyarrow"):
            for row in handed_in.to_pylist():
                looked: PhotoResult = pickle.loads(row["looked"])
                breaks = breaks + 1 if looked.message == FALLEN else 0
                if breaks > BREAKS:
                    raise Mistake(DYING)
                yield jobs[row["number"]], looked
            if stopped():
                return
    except RayError as reason:
        raise Mistake(f"Ray gave up ({_cause(reason)}); what was read is kept.") from None


class Attempts:
    """Which photos have been begun and not finished, and how often: an actor that the workers tell."""

    def __init__(self) -> None:
        self._begun: Counter[int] = Counter()

    def begin(self, number: int) -> int:
        """How often this one has been begun, now included."""
        self._begun[number] += 1
        return self._begun[number]

    def finish(self, number: int) -> None:
        del self._begun[number]


class Settled:
    """Hashes that need no reading, sorted: 32 bytes each, which the workers of a machine share."""

    def __init__(self, sorted_hashes: np.ndarray[Any, np.dtype[np.bytes_]]) -> None:
        self._hashes = sorted_hashes

    @classmethod
    def of(cls, hashes: Sequence[str]) -> Settled:
        return cls(np.sort(np.array([bytes.fromhex(sha256) for sha256 in hashes], "S32")))

    def __contains__(self, sha256: object) -> bool:
        wanted = np.array(bytes.fromhex(str(sha256)), "S32")
        at = int(np.searchsorted(self._hashes, wanted))
        return at < len(self._hashes) and bool(self._hashes[at] == wanted)


class Worker:
    """One of the cluster: networks loaded once, then batch after batch. ``attempts``: handle of the actor.

    Raises RuntimeError where its networks are not those of the run.
    """

    def __init__(self, attempts: Any, settled: Any, wanted: dict[str, str]) -> None:
        import ray

        if _digests() != wanted:
            raise RuntimeError("a worker has other networks: install the same tehai on all machines")
        self._attempts, self._settled, self._get = attempts, ray.get(settled), ray.get
        self._labeller = labeller(threads=1)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """A batch of rows ``number``, ``file`` as rows ``number``, ``looked``."""
        files = map(pickle.loads, batch["file"])
        looked = [
            pickle.dumps(self._look(int(n), file)) for n, file in zip(batch["number"], files, strict=True)
        ]
        return {"number": batch["number"], "looked": looked}

    def _look(self, number: int, file: Any) -> PhotoResult:
        if self._get(self._attempts.begin.remote(number)) > TRIES:
            return PhotoResult(None, None, FALLEN)
        looked = self._labeller(file, self._settled)
        self._attempts.finish.remote(number)
        return looked


def _digests() -> dict[str, str]:
    return {model.path.stem: model.sha256 for model in models()}


def _cause(reason: BaseException) -> str:
    """The last line that says something: Ray's messages end with the worker's traceback."""
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return lines[-1] if lines else type(reason).__name__
