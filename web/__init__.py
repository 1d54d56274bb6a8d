"""The page: the games in a browser, a front end beside `cogs`."""
