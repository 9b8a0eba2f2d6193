"""What the scene model is taught, as losses of a batch."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as fn

from models.scene.batches import Batch
from models.scene.net import Answer
from models.scene.scenes import UNOWNED, UNTAUGHT
from vision.detections import ROLES

HAND, CALLED, WIN = (ROLES.index(role) for role in ("hand", "called", "win"))
FREE = [ROLES.index(role) for role in ("river", "wall", "none")]
"""Roles of a tile that is in no hand and no indicator."""

WEIGHTS = torch.tensor([1.0, 1.0, 2.0, 2.0, 2.0, 0.7, 0.7, 0.7])
"""How much a tile counts by its role: winning tiles and indicators are rare."""


def losses(answer: Answer, batch: Batch) -> dict[str, Tensor]:
    """Role, face, winning tile, same player, same set: means over the tiles or pairs that tell."""
    taught = batch.there & (batch.roles > UNTAUGHT)
    known = taught & (batch.roles != UNOWNED)
    chosen = answer.roles.gather(2, batch.roles.clamp_min(0)[..., None])[..., 0]
    free = torch.logsumexp(answer.roles[..., FREE], dim=-1)
    weight = torch.where(known, WEIGHTS[batch.roles.clamp_min(0)], WEIGHTS[FREE[0]]) * taught
    role = -(torch.where(known, chosen, free) * weight).sum() / weight.sum().clamp_min(1)
    face = answer.faces.gather(2, batch.labels.clamp_min(0)[..., None])[..., 0]
    face = -(face * batch.there).sum() / batch.there.sum()
    own = taught & (batch.seats >= 0)
    player = _pairs(answer.pairs[:, 0], own, batch.seats)
    in_set = own & (batch.sets >= 0)
    sets = _pairs(answer.pairs[:, 1], in_set, batch.seats * 8 + batch.sets)
    return {
        "role": role, "face": 0.5 * face, "win": 0.3 * _win(answer, batch),
        "player": player, "set": 0.5 * sets,
    }  # fmt: skip


def _pairs(logits: Tensor, which: Tensor, group: Tensor) -> Tensor:
    """Whether two of ``which`` are of one group; a tile and itself tell nothing."""
    both = which[:, :, None] & which[:, None]
    both = both & ~torch.eye(which.shape[1], dtype=torch.bool)
    same = (group[:, :, None] == group[:, None]).float()
    loss = fn.binary_cross_entropy_with_logits(logits, same, weight=both.float(), reduction="sum")
    return loss / both.sum().clamp_min(1)


def _win(answer: Answer, batch: Batch) -> Tensor:
    """Exactly one winning tile a hand, or none where nobody can tell it: a softmax over the tiles of each
    hand and "none", by the odds of each to be the winning tile and not one more of the hand."""
    odds = answer.roles[..., WIN] - torch.logsumexp(answer.roles[..., [HAND, CALLED]], dim=-1)
    total, hands = odds.new_zeros(()), 0
    inside = batch.there & ((batch.roles == HAND) | (batch.roles == WIN)) & (batch.finished > 0)
    for seat in range(4):
        mine = inside & (batch.seats == seat)
        is_win = mine & (batch.roles == WIN)
        lost = (mine & (batch.told > 0)).any(1) & ~is_win.any(1)  # it can be told, and was not found
        there = mine.any(1) & ~lost
        if not there.any():
            continue
        among = torch.where(mine, odds, torch.full_like(odds, -1e4))
        among = torch.cat([among, torch.zeros_like(among[:, :1])], 1)[there]
        none = ~is_win.any(1, keepdim=True)
        target = torch.cat([is_win, none], 1)[there].float()
        total = total - (torch.log_softmax(among, 1) * target).sum()
        hands += int(there.sum())
    return total / max(hands, 1)
