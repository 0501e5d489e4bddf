"""What a planner plans with: a specification evaluated into a `World`, the general `Pomdp`, beliefs about them."""
