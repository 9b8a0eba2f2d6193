"""The scene model: which tile is whose, learnt from scenes that are laid and scenes that are drawn.

``python -m models.scene`` lays, extracts, trains, exports and calibrates; the card is ``models/scene.md``.
"""
