"""What was asked: the plan, its defaults, its checks, its file form."""
