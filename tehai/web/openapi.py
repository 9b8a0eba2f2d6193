"""The endpoints described for programs (OpenAPI 3.1), served as ``/openapi.json``."""

from __future__ import annotations

from typing import Any


def description(version: str) -> dict[str, Any]:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "tehai", "version": version},
        "paths": {},
    }
