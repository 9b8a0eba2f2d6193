"""The scene model: a set transformer over the detections of a photo (Vaswani et al. 2017, with the relative
geometry of each pair as attention bias, as in Shaw et al. 2018 and LayoutLMv2)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from vision.detections import ROLES
from vision.labels import WITH_FOREIGN
from vision.scene import inputs

CLASSES = len(WITH_FOREIGN)
TOKEN = CLASSES + 4 + 2 + 3 + 1 + 1 + 2 + 2
PAIR = 11
_FAR = 6.0
"""Largest distance to the photo's edge, in tile sizes."""
_TINY = 1e-6
_MASKED = -1e4


class Answer(NamedTuple):
    """Answers for B scenes of n tiles: log probabilities ``roles`` (B, n, 8) and ``faces`` (B, n, 40), logits
    ``pairs`` (B, 2, n, n) of same player and same set."""

    roles: Tensor
    faces: Tensor
    pairs: Tensor


class Block(nn.Module):
    """A transformer block whose attention has a bias for each pair of tiles."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.each = nn.Sequential(nn.Linear(width, 3 * width), nn.GELU(), nn.Linear(3 * width, width))
        nn.init.zeros_(self.out.weight)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        qkv = self.qkv(self.before(x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(2, 3) * self.scale + bias, dim=-1)
        x = x + self.out((weights @ v).transpose(1, 2).flatten(2))
        return x + self.each(self.between(x))


class SceneNet(nn.Module):
    """In: rows (B, n, ``inputs.WIDTH``), and ``mask`` (B, n) with 0 for padding. Out: :class:`Answer`."""

    def __init__(self, width: int = 96, layers: int = 6, heads: int = 6, edge: int = 32) -> None:
        super().__init__()
        self.layers, self.heads = layers, heads
        self.embedding = nn.Sequential(nn.LayerNorm(120), nn.Linear(120, 32))
        self.token = nn.Linear(TOKEN + 32, width)
        self.edge = nn.Sequential(nn.Linear(PAIR, edge), nn.GELU(), nn.Linear(edge, edge), nn.GELU())
        self.bias = nn.Linear(edge, layers * heads)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.last = nn.LayerNorm(width)
        self.role = nn.Linear(width, len(ROLES))
        self.face = nn.Linear(width, CLASSES)
        self.queries, self.keys = nn.Linear(width, 64), nn.Linear(width, 64)
        self.near = nn.Linear(edge, 2)
        nn.init.zeros_(self.face.weight)
        nn.init.zeros_(self.face.bias)

    def forward(self, rows: Tensor, mask: Tensor) -> Answer:
        logits = torch.log_softmax(rows[..., inputs.LOGITS], dim=-1)
        look = self.embedding(rows[..., inputs.EMBEDDING])
        token, pair = geometry(rows, mask, logits, look)
        x = self.token(torch.cat([token, look], -1))
        edges = self.edge(pair)
        bias = self.bias(edges).permute(0, 3, 1, 2)
        bias = bias + _MASKED * (1 - mask[:, None, None].to(bias.dtype))
        for block, its_bias in zip(self.blocks, bias.chunk(self.layers, dim=1), strict=True):
            x = block(x, its_bias)
        x = self.last(x)
        q, k = (each(x).unflatten(-1, (2, 32)).transpose(1, 2) for each in (self.queries, self.keys))
        pairs = q @ k.transpose(2, 3) * 32**-0.5 + self.near(edges).permute(0, 3, 1, 2)
        return Answer(
            torch.log_softmax(self.role(x).float(), dim=-1),
            torch.log_softmax(self.face(x).float() + logits, dim=-1),
            (pairs + pairs.transpose(2, 3)).float() / 2,
        )


def geometry(rows: Tensor, mask: Tensor, logits: Tensor, look: Tensor) -> tuple[Tensor, Tensor]:
    """Features that do not depend on the photo's size: tokens (B, n, TOKEN) and pairs (B, n, n, PAIR).

    ``look`` (B, n, 32): projected embeddings. A pair (i, j) has the place of j in the frame of i, in sides of
    i, its rotation and size relative to i, and how alike both look. If the photo is rotated, only two numbers
    of a token change.
    """
    quads = rows[..., inputs.QUAD].unflatten(-1, (4, 2))
    photo, score = rows[..., inputs.PHOTO], rows[..., inputs.SCORE]
    a, b, c, d = quads.unbind(-2)
    centre, across, along = (a + b + c + d) / 4, (b - a + c - d) / 2, (d - a + c - b) / 2
    area = _cross(across, along)
    size = area.abs().clamp_min(_TINY).sqrt()
    weight = (score + 0.01) * mask.to(score.dtype)
    unit = ((size.log() * weight).sum(-1, keepdim=True) / weight.sum(-1, keepdim=True)).exp()
    wide, high = across.norm(dim=-1) + _TINY, along.norm(dim=-1) + _TINY
    edge = torch.cat([centre, photo - centre], -1).amin(-1) / unit
    every = size * 0  # the exporter takes ones_like for a constant of its example's length
    token = torch.stack(
        [
            *rows[..., inputs.TURNS].unbind(-1),
            *(along / high[..., None]).unbind(-1),
            (wide / size).log(),
            (high / size).log(),
            (across * along).sum(-1) / (wide * high),
            (size / unit).log(),
            edge.clamp(-1, _FAR) / _FAR,
            unit.log() + every,
            mask.to(score.dtype).sum(-1, keepdim=True).log() / 4 + every,
            score,
            rows[..., inputs.FRAMED],
        ],
        -1,
    )
    token = torch.cat([logits.clamp_min(-7.0) / 3, token], -1)

    between = centre[:, None] - centre[:, :, None]
    safe = (area + 2 * _TINY * (area.abs() < _TINY).to(area.dtype))[:, :, None]
    u = _cross(between, along[:, :, None]) / safe
    v = _cross(across[:, :, None], between) / safe
    facing = along / high[..., None]
    turned = facing[:, :, None], facing[:, None]
    alike = fn.normalize(look, dim=-1, eps=_TINY)
    likely = logits.exp()
    pair = torch.stack(
        [
            _far(u), _far(v), u.clamp(-2, 2), v.clamp(-2, 2),
            (turned[0] * turned[1]).sum(-1), _cross(*turned),
            (size[:, None] / size[:, :, None]).log().clamp(-2, 2),
            ((u * u + v * v) < 0.25).to(u.dtype),
            torch.exp(-4 * (u.abs() - 1).square() - 4 * v.square()),
            alike @ alike.transpose(1, 2),
            likely @ likely.transpose(1, 2),
        ],
        -1,
    )  # fmt: skip
    return token, pair


def _cross(a: Tensor, b: Tensor) -> Tensor:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _far(x: Tensor) -> Tensor:
    """A logarithmic scale with sign: fine for near distances, coarse for far ones."""
    return torch.sign(x) * torch.log1p(x.abs())
