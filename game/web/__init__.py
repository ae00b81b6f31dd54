"""What all pages share: the template environment, middleware, limits, the rulebook."""
