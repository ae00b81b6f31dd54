"""The pages of people: profiles, personal data, closing and deleting accounts."""
