"""Makes the mini sets that ship with Triptych: small, our own, in the released formats of the benchmarks.

    python -m tools.mini             make all in a work folder and compare (what `make mini` does)
    python -m tools.mini build       make all again, into the package
    python -m tools.mini check       the committed files are the ones that the manifests name
    python -m tools.mini material    make the raw material again: speech, sounds, pictures (needs Chinese fonts)
    python -m tools.mini listen      what a recogniser understands of every spoken clip

The sets are what `triptych build` makes of the folders here that have their names: a configuration, raw material, and
what people returned.
"""
