"""The Discord bot: storage, use cases, and what people see."""
