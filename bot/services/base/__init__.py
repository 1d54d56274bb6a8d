"""What every room of the services stands on."""
