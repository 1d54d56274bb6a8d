"""Signals that tell the process to stop, or to start anew what it keeps."""

import asyncio
import signal


def stop_event() -> asyncio.Event:
    """An event that SIGTERM or SIGINT, Ctrl-C that is, will set from now on."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stopping.set)
        except NotImplementedError:  # Windows has only the other way
            signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(stopping.set))
    return stopping


def restart_event() -> asyncio.Event:
    """An event that SIGHUP will set from now on; Windows has no such signal."""
    restarting = asyncio.Event()
    if hasattr(signal, "SIGHUP"):
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, restarting.set)
    return restarting
