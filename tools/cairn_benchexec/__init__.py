"""Cairn for BenchExec; see docs/bench.md."""
