-- delete verification_codes 26e46bebdb (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM verification_codes WHERE user_id = ANY ($1::bigint[])

-- delete verification_codes cdf0eeb8d7 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH expired AS ( DELETE FROM verification_codes WHERE code_hash IN ( SELECT code_hash FROM verification_codes WHERE expires_at < $1::timestamptz - interval '7 days' ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED) ) INSERT INTO verification_codes (code_hash, user_id, purpose, expires_at, created_at) VALUES ($2, $3, $4, $5, $6)

-- select verification_codes 572afac222 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.user_id FROM verification_codes c WHERE c.code_hash = $1 AND c.purpose = $2 AND c.used_at IS NULL AND c.expires_at > $3 AND c.user_id IS NOT NULL AND c.code_id = ( SELECT max(newest.code_id) FROM verification_codes newest WHERE newest.user_id = c.user_id AND newest.purpose = c.purpose)

-- update verification_codes 077d64274d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE verification_codes c SET used_at = $1 WHERE c.code_hash = $2 AND c.purpose = $3 AND c.used_at IS NULL AND c.expires_at > $4 AND c.user_id IS NOT NULL AND c.code_id = ( SELECT max(newest.code_id) FROM verification_codes newest WHERE newest.user_id = c.user_id AND newest.purpose = c.purpose) RETURNING c.user_id

-- update verification_codes 3968c18e1b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE verification_codes c SET used_at = $1 WHERE c.code_hash = $2 AND c.purpose = $3 AND c.used_at IS NULL AND c.expires_at > $4 AND c.user_id IS NOT NULL RETURNING c.user_id

-- update verification_codes 5fb0a0e6d3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE verification_codes SET used_at = $1 WHERE user_id = $2 AND purpose = $3 AND used_at IS NULL
