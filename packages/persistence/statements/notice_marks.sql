-- delete notice_marks 4bffcc99e4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM notice_marks WHERE business_id = $1 AND trip_id = $2 AND due_at <= $3 RETURNING before

-- delete notice_marks 54bc45be2f (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM notice_marks m WHERE m.business_id = $1 AND ( (m.before ->> 'customer_id')::bigint = ANY ($2::bigint[]) OR jsonb_path_query_array(m.before, '$.drivers[*].driver_id') @> ANY ($3::jsonb[]) OR lower((m.before::text) COLLATE "C") LIKE ANY ($4::text[]) OR ($5 AND (m.before::text) ~ ANY ($6::text[])))

-- delete notice_marks 84e6c9726d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM notice_marks WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])

-- insert notice_marks 336fdc819d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_marks (business_id, trip_id, due_at, latest_at) SELECT t.business_id, t.trip_id, t.created_at + CASE WHEN false THEN interval '0' ELSE make_interval(mins => coalesce(s.quiet_minutes, 2)) END AS due_at, t.created_at + make_interval(mins => 10 * coalesce(s.quiet_minutes, 2)) AS latest_at FROM (SELECT $1::bigint AS business_id, $2::bigint AS trip_id, $3::timestamptz AS created_at) t, notice_settings s WHERE s.business_id = $4 AND s.tells_customers

-- insert notice_marks 822a97a6a1 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_marks AS m ("business_id","trip_id","due_at","latest_at","before") VALUES ($1,$2,$3,$4,$5) ON CONFLICT (business_id, trip_id) DO UPDATE SET due_at = CASE WHEN m.due_at <= $6::timestamptz THEN m.due_at ELSE least(excluded.due_at, greatest(m.latest_at, $7::timestamptz)) END, claimed_until = NULL

-- select notice_marks 160a8ded26 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, trip_id FROM notice_marks WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until < $2) ORDER BY due_at LIMIT $3

-- update notice_marks 5cca706de7 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE notice_marks SET claimed_until = $1::timestamptz + interval '1 minute' WHERE business_id = $2 AND trip_id = $3 AND due_at <= $4 AND (claimed_until IS NULL OR claimed_until < $5) RETURNING trip_id
