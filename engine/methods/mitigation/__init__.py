"""What would help: scenarios on a retrained stand-in (paper 001, table 1; paper 003)."""
