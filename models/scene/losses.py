"""The losses of the scene model."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as fn

from models.scene.batches import Batch
from models.scene.net import Answer
from models.scene.scenes import LOOSE, UNLABELLED
from vision.detections import ROLES

HAND, CALLED, WIN = (ROLES.index(role) for role in ("hand", "called", "win"))
FREE = [ROLES.index(role) for role in ("river", "wall", "none")]
"""Roles of a tile that is neither in a hand nor an indicator."""

WEIGHTS = torch.tensor([1.0, 1.0, 2.0, 2.0, 2.0, 0.7, 0.7, 0.7])
"""Weight of a tile by its role. Winning tiles and indicators are rare."""


def losses(answer: Answer, batch: Batch) -> dict[str, Tensor]:
    """Losses of role, face, winning tile, same player and same set: means over labelled tiles or pairs."""
    labelled = batch.mask & (batch.roles > UNLABELLED)
    known = labelled & (batch.roles != LOOSE)
    chosen = answer.roles.gather(2, batch.roles.clamp_min(0)[..., None])[..., 0]
    free = torch.logsumexp(answer.roles[..., FREE], dim=-1)
    weight = torch.where(known, WEIGHTS[batch.roles.clamp_min(0)], WEIGHTS[FREE[0]]) * labelled
    role = -(torch.where(known, chosen, free) * weight).sum() / weight.sum().clamp_min(1)
    face = answer.faces.gather(2, batch.labels.clamp_min(0)[..., None])[..., 0]
    face = -(face * batch.mask).sum() / batch.mask.sum()
    own = labelled & (batch.seats >= 0)
    player = _pairs(answer.pairs[:, 0], own, batch.seats)
    in_set = own & (batch.sets >= 0)
    sets = _pairs(answer.pairs[:, 1], in_set, batch.seats * 8 + batch.sets)
    return {
        "role": role, "face": 0.5 * face, "win": 0.3 * _win(answer, batch),
        "player": player, "set": 0.5 * sets,
    }  # fmt: skip


def _pairs(logits: Tensor, which: Tensor, group: Tensor) -> Tensor:
    """Binary cross entropy of ``logits`` (B, n, n): are two tiles of ``which`` (B, n) of one ``group``?"""
    both = which[:, :, None] & which[:, None]
    both = both & ~torch.eye(which.shape[1], dtype=torch.bool)
    same = (group[:, :, None] == group[:, None]).float()
    loss = fn.binary_cross_entropy_with_logits(logits, same, weight=both.float(), reduction="sum")
    return loss / both.sum().clamp_min(1)


def _win(answer: Answer, batch: Batch) -> Tensor:
    """Cross entropy of the winning tile: a softmax over the tiles of each finished hand and "none".

    A tile's logit is its log odds to be the winning tile and not another tile of the hand. "None" is right if
    the winning tile is unknown. Hands whose known winning tile was not detected are left out.
    """
    odds = answer.roles[..., WIN] - torch.logsumexp(answer.roles[..., [HAND, CALLED]], dim=-1)
    total, hands = odds.new_zeros(()), 0
    inside = batch.mask & ((batch.roles == HAND) | (batch.roles == WIN)) & (batch.finished > 0)
    for seat in range(4):
        mine = inside & (batch.seats == seat)
        is_win = mine & (batch.roles == WIN)
        lost = (mine & (batch.win_known > 0)).any(1) & ~is_win.any(1)
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
