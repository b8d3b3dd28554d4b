-- delete notice_marks 4bffcc99e4 (ports)
DELETE FROM notice_marks WHERE business_id = $1 AND trip_id = $2 AND due_at <= $3 RETURNING before

-- delete notice_marks 84e6c9726d (ports)
DELETE FROM notice_marks WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])

-- insert notice_marks 336fdc819d (ports, requests)
INSERT INTO notice_marks (business_id, trip_id, due_at, latest_at) SELECT t.business_id, t.trip_id, t.created_at + CASE WHEN false THEN interval '0' ELSE make_interval(mins => coalesce(s.quiet_minutes, 2)) END AS due_at, t.created_at + make_interval(mins => 10 * coalesce(s.quiet_minutes, 2)) AS latest_at FROM (SELECT $1::bigint AS business_id, $2::bigint AS trip_id, $3::timestamptz AS created_at) t, notice_settings s WHERE s.business_id = $4 AND s.tells_customers

-- insert notice_marks 47fb651fb5 (ports, requests)
INSERT INTO notice_marks AS m (business_id, trip_id, due_at, latest_at, before) SELECT $1::bigint, c.trip_id, n.now + CASE WHEN c.is_urgent THEN interval '0' ELSE make_interval(mins => coalesce(s.quiet_minutes, 2)) END AS due_at, n.now + make_interval(mins => 10 * coalesce(s.quiet_minutes, 2)) AS latest_at, c.before FROM jsonb_to_recordset($2::jsonb) AS c (trip_id bigint, is_urgent boolean, has_driver boolean, before jsonb) CROSS JOIN (SELECT $3::timestamptz AS now) n LEFT JOIN notice_settings s ON s.business_id = $4 WHERE c.has_driver OR s.tells_customers ON CONFLICT (business_id, trip_id) DO UPDATE SET due_at = CASE WHEN m.due_at <= $5::timestamptz THEN m.due_at ELSE least(excluded.due_at, greatest(m.latest_at, $6::timestamptz)) END, claimed_until = NULL

-- select notice_marks 160a8ded26 (ports)
SELECT business_id, trip_id FROM notice_marks WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until < $2) ORDER BY due_at LIMIT $3

-- update notice_marks 5cca706de7 (ports)
UPDATE notice_marks SET claimed_until = $1::timestamptz + interval '1 minute' WHERE business_id = $2 AND trip_id = $3 AND due_at <= $4 AND (claimed_until IS NULL OR claimed_until < $5) RETURNING trip_id
