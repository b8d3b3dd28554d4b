-- select refresh_tokens acd26b735c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT expires_at, rotated_at FROM refresh_tokens WHERE token_hash = $1

-- update refresh_tokens 354d0f882c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH rotated AS ( UPDATE refresh_tokens SET rotated_at = $1 WHERE token_hash = $2 AND rotated_at IS NULL RETURNING session_id ), successor AS ( UPDATE session_families SET last_rotated_hash = $3, sealed_successor = $4 WHERE session_id = $5 AND last_rotated_hash IS DISTINCT FROM $6 ) INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at) SELECT $7, session_id, $8, $9 FROM rotated RETURNING pg_current_xact_id()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark
