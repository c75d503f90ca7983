"""The models that are served: what each has learned, its snapshots, and how it is made again from the journal."""
