-- insert secret_check 3de81b6a51 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO secret_check (sealed) VALUES ($1) ON CONFLICT DO NOTHING

-- select secret_check aecea5d534 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT sealed FROM secret_check

-- update secret_check ab5598b573 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE secret_check SET sealed = $1
