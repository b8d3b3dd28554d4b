-- select installation 4ee6d6a3b7 (commands)
SELECT name FROM installation
