"""Discord's side of each feature: take the player from an interaction, ask services, show pages."""
