"""How well ratings tell who is stronger, tried on made-up players whose strength is known."""
