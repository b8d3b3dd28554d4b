-- select driver_trail 3ad07ffd79 (commands)
SELECT EXISTS (SELECT 1 FROM driver_trail) AS holds
