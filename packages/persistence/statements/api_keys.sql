-- delete api_keys 9bbc93292d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM api_keys WHERE business_id = $1 AND key_hash = $2 RETURNING key_hash

-- insert api_keys ad2f9481b6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO api_keys (business_id, key_hash, masked_key, created_by, created_at) SELECT $1, $2, $3, $4, $5::timestamptz WHERE (SELECT count(*) FROM api_keys WHERE business_id = $6) < $7::int RETURNING key_hash

-- select api_keys 39fc9f41e4 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT masked_key, created_at, last_used_at FROM api_keys WHERE business_id = $1 ORDER BY created_at DESC, key_hash

-- select api_keys a1a321f9a9 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.business_id, b.business_name, b.status, b.currency, b.timezone FROM api_keys k JOIN businesses b USING (business_id) WHERE k.key_hash = $1

-- select api_keys f872611895 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT k.key_hash, b.business_id, b.business_name, b.status, b.currency, b.timezone FROM api_keys k JOIN businesses b USING (business_id) WHERE k.key_hash = ANY ($1::text[])

-- update api_keys 6c91866607 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE api_keys SET last_used_at = now() WHERE key_hash = ANY ($1::text[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
