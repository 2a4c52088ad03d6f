"""Published tables and figures, and studies on real data, made again. Floor 8 of the house.

An experiment is one file with one `Experiment`; `registry` lists them, and `bristlecone reproduce NAME` runs one.
"""
