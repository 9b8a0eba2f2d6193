"""The finder and the face network: convolutions, batch norm and ReLU, so that export can fold the norms."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from vision.labels import CLASSES
from vision.maps import CHANNELS


def conv(inside: int, outside: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """A convolution, batch norm and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """A residual block of two convolutions (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        norm = self.second[1]
        assert isinstance(norm, nn.BatchNorm2d)
        nn.init.zeros_(norm.weight)  # starts as the identity and learns sooner (Goyal et al. 2017)

    def forward(self, x: Tensor) -> Tensor:
        return fn.relu(x + self.second(self.first(x)))


class FinderNet(nn.Module):
    """Detector of tile faces, one class, fully convolutional.

    In: (n, 3, H, W) float, normalised RGB, H and W multiples of 32. Out: maps (n, 9, H/4, W/4) as of
    :mod:`vision.maps`, the first channel as a logit.
    """

    def __init__(self, width: int = 40) -> None:
        super().__init__()
        self.s4 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), Residual(32))
        self.s8 = nn.Sequential(conv(32, 64, 2), Residual(64))
        self.s16 = nn.Sequential(conv(64, 112, 2), Residual(112), Residual(112))
        self.s32 = nn.Sequential(conv(112, 112, 2), Residual(112))
        self.side4 = nn.Conv2d(32, width, 1)
        self.side8 = nn.Conv2d(64, width, 1)
        self.side16 = nn.Conv2d(112, width, 1)
        self.side32 = nn.Conv2d(112, width, 1)
        self.smooth8 = conv(width, width)
        self.head = nn.Sequential(conv(width, width), nn.Conv2d(width, CHANNELS, 1))
        last = self.head[1]
        assert isinstance(last, nn.Conv2d) and last.bias is not None
        nn.init.normal_(last.weight, std=0.01)
        nn.init.zeros_(last.bias)
        # Few cells hold a centre: start from p = 0.05, or the first steps only learn "nothing here".
        nn.init.constant_(last.bias[:1], -3.0)

    def forward(self, x: Tensor) -> Tensor:
        s4 = self.s4(x)
        s8 = self.s8(s4)
        s16 = self.s16(s8)
        s32 = self.s32(s16)
        down = self.side16(s16) + fn.interpolate(self.side32(s32), scale_factor=2.0, mode="nearest")
        down = self.smooth8(self.side8(s8) + fn.interpolate(down, scale_factor=2.0, mode="nearest"))
        down = self.side4(s4) + fn.interpolate(down, scale_factor=2.0, mode="nearest")
        out: Tensor = self.head(down)
        return out


class FaceNet(nn.Module):
    """Classifier of rectified crops.

    In: (n, 3, 80, 64) float, normalised RGB. Out: label logits (n, ``classes``) in the order of
    ``vision.labels.CLASSES``, of ``WITH_FOREIGN`` where it has one more; rotation logits (n, 4), corner
    offsets (n, 8).
    """

    def __init__(self, classes: int = len(CLASSES)) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 48, 2),
            Residual(48),
            conv(48, 96, 2),
            Residual(96),
            conv(96, 120, 2),
            Residual(120),
        )
        self.place = nn.Sequential(
            conv(120, 32, kernel=1), nn.Flatten(), nn.Linear(32 * 5 * 4, 128), nn.ReLU(inplace=True)
        )
        self.drop = nn.Dropout(0.1)
        self.label = nn.Linear(120 + 128, classes)
        self.rotation = nn.Linear(120 + 128, 4)
        self.corners = nn.Linear(128, 8)
        nn.init.normal_(self.corners.weight, std=0.01)
        nn.init.zeros_(self.corners.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.heads(self.body(x))

    def heads(self, features: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Answers from the last feature maps (n, 120, 5, 4)."""
        place = self.place(features)
        both = self.drop(torch.cat([features.mean((2, 3)), place], 1))
        return self.label(both), self.rotation(both), self.corners(place)
