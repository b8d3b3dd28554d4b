-- insert secret_check 3de81b6a51 (commands)
INSERT INTO secret_check (sealed) VALUES ($1) ON CONFLICT DO NOTHING

-- select secret_check aecea5d534 (commands)
SELECT sealed FROM secret_check

-- update secret_check ab5598b573 (commands)
UPDATE secret_check SET sealed = $1
