-- delete mail_outbox e378f3db5d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM mail_outbox WHERE mail_id = ANY ($1::bigint[])

-- delete mail_outbox e6646512d6 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM mail_outbox WHERE mail_id = $1

-- insert mail_outbox e37c701de5 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO mail_outbox (sealed_message) VALUES ($1)

-- select mail_outbox 4ca971899a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT mail_id::text AS key, sealed_message AS text FROM mail_outbox WHERE mail_id > $1 ORDER BY mail_id LIMIT $2

-- select mail_outbox d9f1d12190 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS oldest_seconds FROM (SELECT created_at FROM mail_outbox ORDER BY mail_id LIMIT 100000) waiting

-- update mail_outbox 80e0755e73 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE mail_outbox SET attempt = attempt + 1, next_attempt_at = clock_timestamp() + make_interval(secs => $1) WHERE mail_id IN ( SELECT mail_id FROM mail_outbox WHERE next_attempt_at <= clock_timestamp() ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING mail_id, attempt, sealed_message, message_id, created_at

-- update mail_outbox f584a96cbc (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE mail_outbox SET next_attempt_at = clock_timestamp() + make_interval(secs => $1), last_error = $2 WHERE mail_id = $3
