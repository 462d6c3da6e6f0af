"""A child process that takes as much memory as it is told to."""

from fcdl.web.child import serve


def take(mb: int) -> int:
    """Needs so many megabytes for a moment."""
    return len(bytes(mb * 1_000_000)) // 1_000_000


if __name__ == "__main__":
    serve({"take": take})
