"""What is to be told to whom: notices and messages, written in the transaction that causes them, and preferences."""
