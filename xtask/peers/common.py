"""What the peers share: problems come in and answers go out as lines of JSON.

A problem: {"declarations": text, "parts": [text], "parents": [int], "shared": [[name]],
"seconds": float}; "shared" has the symbols of each cut, "parents" what each part but the last
hangs from. An answer: {"status": "solved" | "unknown" | "error", "seconds": float,
"interpolants": [text], "reason": text}. The seconds are those of the solver's calls alone.
"""

import json
import sys


def children_of(parents, part):
    """The parts that hang from a part."""
    return [child for child, parent in enumerate(parents) if parent == part]


def serve(solve):
    """Says that it is ready, then answers one problem after the other."""
    print("ready", flush=True)
    for line in sys.stdin:
        problem = json.loads(line)
        try:
            answer = solve(problem)
        except Exception as error:  # Whatever a peer throws is its answer.
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            answer = {"status": "error", "seconds": 0.0, "interpolants": [], "reason": reason}
        print(json.dumps(answer), flush=True)


class Clock:
    """Adds up the time of some calls, within a limit."""

    def __init__(self, limit):
        self.limit = limit
        self.seconds = 0.0

    def left(self):
        """The seconds that are left."""
        return max(0.0, self.limit - self.seconds)

    def unknown(self, reason):
        """The answer of one who gave up."""
        return {
            "status": "unknown",
            "seconds": self.seconds,
            "interpolants": [],
            "reason": reason,
        }

    def solved(self, interpolants):
        """The answer of one who did not."""
        return {
            "status": "solved",
            "seconds": self.seconds,
            "interpolants": interpolants,
            "reason": "",
        }
