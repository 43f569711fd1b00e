"""What tools/bench/run measures, and with what."""
