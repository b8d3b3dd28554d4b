-- create livery_migrations b1be3eccaf (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
CREATE TABLE IF NOT EXISTS livery_migrations ( migration_id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now() )

-- select livery_migrations 638c71e3c4 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT to_regclass('livery_migrations') IS NOT NULL AS there

-- select livery_migrations 7b322d63d5 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT name AS key FROM livery_migrations ORDER BY migration_id

-- select livery_migrations c9e8f30fa6 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM livery_migrations WHERE false FOR UPDATE
