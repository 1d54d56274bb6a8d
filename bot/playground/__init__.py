"""The whole bot in a local browser, without a Discord account.

The bot is the real one. Discord is SimCord's, in this process. At every start its world is made
anew, with the same people under the same ids; their games stay in `playground.db`. All but the
first play by themselves (`regulars.py`), and have done so for a month. SimCord's page
suggests earlier puzzles only once a digit is typed; Discord does so at once. This folder is the
only place outside the tests that knows SimCord.
"""

import sys
from importlib.util import find_spec

if find_spec("simcord") is None:
    sys.exit(
        "The playground is not installed. Type: python3 tasks.py play, or: "
        "pip install '.[playground]'"
    )
