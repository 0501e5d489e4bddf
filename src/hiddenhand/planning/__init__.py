"""Planning when part of the state is hidden: models, planners, and the reasons for what they advise."""
