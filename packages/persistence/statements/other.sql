-- alter other b3684307f4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
ALTER INDEX idempotency_keys_pkey RENAME TO idempotency_keys_previous_pkey

-- drop other 156f982501 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DROP TABLE driver_trail_1

-- drop other 73f86011b2 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DROP TABLE events_1

-- drop other cf3bd214bb (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DROP TABLE webhook_deliveries_1

-- drop other ed88da0b62 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DROP TABLE audit_log_1

-- select other 2b0523c914 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT nextval('trips_trip_id_seq')::bigint AS trip_id FROM generate_series(1, $1::int)

-- select other 3c98633ab9 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT pg_current_xact_id_if_assigned()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark

-- select other 4b5af1dd0b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT pg_get_serial_sequence($1, attname) AS sequence, attname::text AS column FROM pg_attribute WHERE attrelid = $2::regclass AND attidentity <> '' AND attname <> 'business_id'

-- select other 5c2f4c49a3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint AS millis

-- select other a503d42ea8 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT false AS holds

-- select other be7cf02ec3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM driver_trail_1 LIMIT 1) AS holds

-- select other c718aadc0a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM audit_log_1 LIMIT 1) AS holds

-- select other d4b1a5875a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT to_regclass('pg_dist_partition') IS NOT NULL AS has_citus

-- select other d53c14607f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM webhook_deliveries_1 LIMIT 1) AS holds

-- select other f0ed0e587b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT pg_advisory_xact_lock($1)

-- select other f1fa6515f0 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*) FROM generate_series(1, 8000)

-- select other fa73572df6 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM events_1 LIMIT 1) AS holds

-- select other fc6c2c84c5 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT attrelid::regclass::text AS table, json_agg(attname ORDER BY attnum) AS columns FROM pg_attribute WHERE attrelid = ANY ($1::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> 'business_id' AND (attnotnull OR attname <> ALL ($2::text[])) GROUP BY attrelid
