"""How soon the bot answers a crowd, beside a bot that does nothing: `python -m benchmarks.load`.

Both run as hosts run them, in turns, in processes of their own. A stand-in for Discord, in a
process of its own too, has the players in it: what they press, type and send goes through the
gateway, and what the bot answers comes back as requests. The empty bot shows what the library, the
network and this machine take by themselves; what the real one takes more is ours.
"""
