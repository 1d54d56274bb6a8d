"""Which version of the bot this is."""

from importlib import metadata


def version() -> str:
    """The version that is installed; `unknown` where the bot was never installed."""
    try:
        return metadata.version("focdle-bot")
    except metadata.PackageNotFoundError:
        return "unknown"
