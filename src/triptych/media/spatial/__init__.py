"""Spatial audio on arrays: panning, first-order ambisonics, HRTFs.

All modules here use the same conventions. Azimuths and elevations are in degrees: azimuth 0 is in front, 90 on the
left, -90 on the right; elevation 90 is above. Positions are in metres: x to the front, y to the left, z up. Samples
have the shape (frames,) if mono and (frames, channels) otherwise. First-order ambisonics (FOA) has the channels
W, Y, Z, X: order ACN, normalisation SN3D.
"""
