"""The page: FoCdle in a browser, a front end beside `cogs`."""
