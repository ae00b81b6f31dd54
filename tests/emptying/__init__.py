"""An app of the tests alone: how the database is emptied after a test that committed."""
