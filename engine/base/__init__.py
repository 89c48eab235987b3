"""What every room of the engine leans on: refusals, progress, canonical JSON, wording of numbers."""
