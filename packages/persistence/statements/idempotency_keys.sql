-- alter idempotency_keys e59788c0f5 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
ALTER TABLE idempotency_keys RENAME TO idempotency_keys_previous

-- create idempotency_keys b5234cfbe0 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
CREATE TABLE idempotency_keys (LIKE idempotency_keys_previous INCLUDING ALL)

-- delete idempotency_keys 1dc9dc36a6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM idempotency_keys WHERE key = $1 AND lease = $2 RETURNING lease

-- lock idempotency_keys 642f155345 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE

-- select idempotency_keys 7fb53ff0cb (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT key, sealed_response AS text FROM (TABLE idempotency_keys UNION ALL TABLE idempotency_keys_previous) r WHERE key > $1 AND sealed_response <> '' AND (r.owning_business_id = $2 OR r.owning_business_id IS NULL) ORDER BY key LIMIT $3

-- select idempotency_keys ac62a5dc97 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT key, sealed_response FROM idempotency_keys WHERE key = ANY ($1::text[]) AND sealed_response <> '' ORDER BY key FOR UPDATE

-- select idempotency_keys da9145b30e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT sealed_response, lease, leased_until FROM idempotency_keys WHERE key = $1

-- select idempotency_keys e51e3fee2f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT FROM idempotency_keys) OR EXISTS (SELECT FROM idempotency_keys_previous) AS holds

-- select idempotency_keys f8be3b7901 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT key, sealed_response AS text FROM (TABLE idempotency_keys UNION ALL TABLE idempotency_keys_previous) r WHERE key > $1 AND sealed_response <> '' AND true ORDER BY key LIMIT $2

-- update idempotency_keys 00e9d8a1f2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE idempotency_keys SET sealed_response = $1, owning_business_id = $2 WHERE key = $3 AND lease = $4 RETURNING lease

-- update idempotency_keys 276a674553 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE idempotency_keys k SET sealed_response = erased.sealed_response FROM unnest($1::text[], $2::text[]) AS erased (key, sealed_response) WHERE k.key = erased.key

-- update idempotency_keys cd7ce59ab2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE idempotency_keys SET lease = lease + 1, leased_until = $1 WHERE key = $2 AND lease = $3 RETURNING lease
