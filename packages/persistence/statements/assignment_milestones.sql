-- declare assignment_milestones e70450599e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "assignment_id", "milestone", "stop_index", "at", "lat", "lng" FROM assignment_milestones WHERE business_id = 1 ORDER BY assignment_id, milestone, stop_index ) t

-- delete assignment_milestones d1f193b986 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM assignment_milestones WHERE business_id = $1 AND assignment_id = $2 AND milestone = $3 AND stop_index = $4

-- insert assignment_milestones 3f5c197a68 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO assignment_milestones AS t ("business_id", "assignment_id", "milestone", "stop_index", "at", "lat", "lng") OVERRIDING SYSTEM VALUE SELECT "business_id", "assignment_id", "milestone", "stop_index", "at", "lat", "lng" FROM jsonb_populate_recordset(NULL::assignment_milestones, $1::jsonb) ON CONFLICT ("business_id", "assignment_id", "milestone", "stop_index") DO UPDATE SET "at" = EXCLUDED."at", "lat" = EXCLUDED."lat", "lng" = EXCLUDED."lng" WHERE (t."at", t."lat", t."lng") IS DISTINCT FROM (EXCLUDED."at", EXCLUDED."lat", EXCLUDED."lng")

-- insert assignment_milestones ad930fcaa2 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO assignment_milestones ("business_id","assignment_id","milestone","at","lat","lng","stop_index") VALUES ($1,$2,$3,$4,$5,$6,$7) ON CONFLICT (business_id, assignment_id, milestone, stop_index) DO NOTHING

-- select assignment_milestones 5dc888c773 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "assignment_id", "milestone", "stop_index", "at", "lat", "lng" FROM assignment_milestones WHERE business_id = 1) t

-- select assignment_milestones 9a2488111c (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM assignment_milestones WHERE business_id = 5

-- select assignment_milestones b2ca67c127 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT a.assignment_id, a.driver_id, d.name AS name, a.status, a.car_id, a.has_default_car, a.accepted_at, a.accepted_pickup, a.declined_at, a.decline_reason, coalesce(( SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng, 'stop_index', CASE WHEN m.milestone = 'arrived_at_stop' THEN m.stop_index END) ORDER BY m.at, m.milestone, m.stop_index) FROM assignment_milestones m WHERE m.business_id = $1::bigint AND m.assignment_id = a.assignment_id), '[]'::json) AS milestones FROM assignments a JOIN drivers d ON d.business_id = $2 AND d.driver_id = a.driver_id WHERE a.business_id = $3 AND a.assignment_id = ANY ($4::bigint[]) ORDER BY a.assignment_id

-- select assignment_milestones b6a3b767fa (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT a.assignment_id, a.driver_id, d.name AS name, a.status, a.car_id, a.has_default_car, a.accepted_at, a.accepted_pickup, a.declined_at, a.decline_reason, coalesce(( SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng, 'stop_index', CASE WHEN m.milestone = 'arrived_at_stop' THEN m.stop_index END) ORDER BY m.at, m.milestone, m.stop_index) FROM assignment_milestones m WHERE m.business_id = $1::bigint AND m.assignment_id = a.assignment_id), '[]'::json) AS milestones FROM (SELECT * FROM assignments WHERE business_id = $2 AND trip_id = $3 OFFSET 0) a JOIN drivers d ON d.business_id = $4 AND d.driver_id = a.driver_id WHERE a.driver_id = $5 ORDER BY a.assignment_id DESC LIMIT 1

-- select assignment_milestones ca6e00dc34 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT a.trip_id, a.assignment_id, a.driver_id, d.name AS name, a.status, a.car_id, a.has_default_car, a.accepted_at, a.accepted_pickup, a.declined_at, a.decline_reason, coalesce(( SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng, 'stop_index', CASE WHEN m.milestone = 'arrived_at_stop' THEN m.stop_index END) ORDER BY m.at, m.milestone, m.stop_index) FROM assignment_milestones m WHERE m.business_id = $1::bigint AND m.assignment_id = a.assignment_id), '[]'::json) AS milestones FROM assignments a JOIN drivers d ON d.business_id = $2 AND d.driver_id = a.driver_id WHERE a.business_id = $3 AND a.assignment_id = $4

-- update assignment_milestones 50a4c936ab (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE assignment_milestones SET "lat" = $1, "lng" = $2 WHERE business_id = $3 AND assignment_id = ANY ($4::bigint[])
