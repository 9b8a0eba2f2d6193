"""The scene model: whose each tile is, trained on laid scenes and on drawn ones.

``python -m models.scene`` extracts, trains, exports and calibrates; the card is ``models/scene.md``.
"""
