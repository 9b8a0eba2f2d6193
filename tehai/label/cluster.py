"""Read photos with the workers of a Ray cluster, on Ray Data (https://docs.ray.io/en/latest/data/data.html).

The workers fetch, hash and read. Only the process that started the run writes the journal.
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
"""Photos of a batch. A lost worker's batch is read again, and a worker reports only after a batch.

Ray takes 2 ms to prepare a batch, and a little more to transfer it.
"""

MEMORY: Final = WORKER_BYTES + 200_000_000
"""Memory for a worker, Ray's own part included (measured: 160 MB)."""

TRIES: Final = 3
"""How often Tehai tries to read a photo before it assumes that the photo kills its workers.

One more than on a single machine, because a cluster can lose a worker for other reasons.
"""


@contextmanager
def joined() -> Iterator[None]:
    """Connect to the cluster that ``RAY_ADDRESS`` names, or to the one that runs on this machine.

    Without either, or with ``RAY_ADDRESS=local``, start one on this machine for the run. Raises
    :class:`Mistake` if Ray is not installed or the cluster does not answer.
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
    """Raises OSError if nothing answers at ``host:port``. Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def read_all(
    jobs: Sequence[Job], workers: int | None, settled: Sequence[str], stopped: Callable[[], bool]
) -> Iterator[tuple[Job, PhotoResult]]:
    """Each photo with its result, once, in the order of completion. Another worker reads what a lost worker
    had.

    ``settled``: hashes of contents that need no reading. ``workers``: by default as many as fit into the
    cluster. Raises :class:`Mistake` if the workers cannot start, or die one after another.
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
                result: PhotoResult = pickle.loads(row["result"])
                breaks = breaks + 1 if result.message == FALLEN else 0
                if breaks > BREAKS:
                    raise Mistake(DYING)
                yield jobs[row["number"]], result
            if stopped():
                return
    except RayError as reason:
        raise Mistake(f"Ray gave up ({_cause(reason)}); what was read is kept.") from None


class Attempts:
    """How often the workers have begun each unfinished photo: an actor that the workers report to."""

    def __init__(self) -> None:
        self._begun: Counter[int] = Counter()

    def begin(self, number: int) -> int:
        """Count one more attempt; how many there are now."""
        self._begun[number] += 1
        return self._begun[number]

    def finish(self, number: int) -> None:
        del self._begun[number]


class Settled:
    """Hashes that need no reading, sorted: 32 bytes each, shared by the workers of a machine."""

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
    """A worker of the cluster: it loads the networks once and reads batch after batch. ``attempts``: the
    actor's handle.

    Raises RuntimeError if its networks differ from those of the run.
    """

    def __init__(self, attempts: Any, settled: Any, wanted: dict[str, str]) -> None:
        import ray

        if _digests() != wanted:
            raise RuntimeError("a worker has other networks: install the same tehai on all machines")
        self._attempts, self._settled, self._get = attempts, ray.get(settled), ray.get
        self._labeller = labeller(threads=1)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Read a batch of rows ``number``, ``file``; returns rows ``number``, ``result``."""
        files = map(pickle.loads, batch["file"])
        result = [
            pickle.dumps(self._look(int(n), file)) for n, file in zip(batch["number"], files, strict=True)
        ]
        return {"number": batch["number"], "result": result}

    def _look(self, number: int, file: Any) -> PhotoResult:
        if self._get(self._attempts.begin.remote(number)) > TRIES:
            return PhotoResult(None, None, FALLEN)
        result = self._labeller(file, self._settled)
        self._attempts.finish.remote(number)
        return result


def _digests() -> dict[str, str]:
    return {model.path.stem: model.sha256 for model in models()}


def _cause(reason: BaseException) -> str:
    """The last informative line of an error: Ray's messages end with the worker's traceback."""
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return lines[-1] if lines else type(reason).__name__
