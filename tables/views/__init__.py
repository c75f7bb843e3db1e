"""The pages of the tables: overview, board, sheet, one command, the Record."""
