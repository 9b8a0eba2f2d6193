"""A photo to its hand in five stages: detect, classify, relate, decode, judge.

One :class:`vision.detections.Detections` goes from the first to the last; :mod:`vision.scene.reader` calls
them in order. Beside the reader that ships, until it reads photos at least as well.
"""
