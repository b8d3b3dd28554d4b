-- delete table_generations b146ce3926 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM table_generations WHERE table_name = $1 AND generation = $2

-- select table_generations 88ede5d153 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT generation, ended_at IS NULL AS is_current, (extract(epoch FROM clock_timestamp() - coalesce(ended_at, started_at)) / 86400)::float8 AS age_days FROM table_generations WHERE table_name = $1 ORDER BY generation

-- select table_generations ddb1c4547e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT generation, ended_at IS NULL AS is_current, (extract(epoch FROM clock_timestamp() - coalesce(ended_at, started_at)) / 86400)::float8 AS age_days FROM table_generations WHERE table_name = $1 ORDER BY generation FOR UPDATE

-- select table_generations f37b1e1da4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT clock_timestamp() - started_at > make_interval(days => $1) AS holds FROM table_generations WHERE table_name = 'idempotency_keys' FOR UPDATE

-- update table_generations 072c8fa8b7 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE table_generations SET generation = generation + 1, started_at = clock_timestamp() WHERE table_name = 'idempotency_keys'
