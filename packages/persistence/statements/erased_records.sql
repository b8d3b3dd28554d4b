-- declare erased_records 6da806aaba (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "kind", "record_id", "erased_at" FROM erased_records WHERE business_id = 1 ORDER BY kind, record_id ) t

-- insert erased_records 6318091a8d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO erased_records (business_id, kind, record_id, erased_at) SELECT $1, $2, id, $3 FROM unnest($4::bigint[]) AS id ON CONFLICT DO NOTHING

-- insert erased_records deb4678d31 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO erased_records (business_id, kind, record_id, erased_at) SELECT $1, $2, id, $3 FROM unnest($4::bigint[]) AS id ON CONFLICT (business_id, kind, record_id) DO UPDATE SET erased_at = excluded.erased_at

-- select erased_records 3fa3b4180f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "kind", "record_id", "erased_at" FROM erased_records WHERE business_id = 1) t

-- select erased_records 565e3678aa (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM erased_records WHERE business_id = 5

-- select erased_records c88bac3c33 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT DISTINCT r.kind, r.record_id AS id FROM unnest($1::text[], $2::bigint[]) AS u (kind, id) JOIN erased_records r ON r.business_id = $3 AND r.kind = u.kind AND r.record_id = u.id
