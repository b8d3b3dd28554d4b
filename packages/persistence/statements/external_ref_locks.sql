-- insert external_ref_locks d11c1d2a09 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO external_ref_locks (business_id, bucket) SELECT DISTINCT $1::bigint, hashtext(e.ref) & 255 AS bucket FROM unnest($2::text[]) AS e (ref) ORDER BY bucket ON CONFLICT (business_id, bucket) DO UPDATE SET bucket = excluded.bucket WHERE false
