-- delete session_families 1c958e7876 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM session_families WHERE user_id = ANY ($1::bigint[])

-- delete session_families 7d170857ac (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH expired AS ( DELETE FROM session_families WHERE session_id IN ( SELECT session_id FROM session_families WHERE expires_at < $1::timestamptz - interval '7 days' ORDER BY expires_at LIMIT 2 FOR UPDATE SKIP LOCKED) ), family AS ( INSERT INTO session_families (user_id, device_name, created_at, expires_at) VALUES ($2, $3, $4, $5) RETURNING session_id ) INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at) SELECT $6, session_id, $7, $8 FROM family RETURNING session_id, pg_current_xact_id()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark

-- select session_families b1f2381679 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT session_id FROM session_families WHERE user_id = $1 AND revoked_at IS NULL ORDER BY session_id FOR UPDATE

-- select session_families d12b3ef80c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT session_id, user_id, expires_at, revoked_at IS NOT NULL AS revoked, last_rotated_hash, sealed_successor FROM session_families WHERE session_id = (SELECT session_id FROM refresh_tokens WHERE token_hash = $1) FOR UPDATE

-- update session_families 09759b6d7c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE session_families SET revoked_at = $1, last_rotated_hash = NULL, sealed_successor = NULL WHERE user_id = $2 AND revoked_at IS NULL AND session_id IS DISTINCT FROM $3 RETURNING session_id

-- update session_families 753701dd66 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE session_families SET revoked_at = $1, last_rotated_hash = NULL, sealed_successor = NULL WHERE session_id = $2 AND revoked_at IS NULL RETURNING session_id
