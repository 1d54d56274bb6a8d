"""The page, a front end beside `cogs`: FoCdle in a browser, with a keypad."""
