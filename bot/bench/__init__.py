"""How fast leaderboards, statistics and guesses are on a large database: `python -m bot.bench`.

The database is made up from nothing, with the same rows for the same size: players with few and
with many plays, servers with few and with many members. What is measured are the use cases, as
clicks call them, on the file that hosts have.
"""
