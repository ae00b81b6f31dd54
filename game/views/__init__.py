"""Pages: each translates HTTP to one service call and answers with one template."""
