-- insert notice_settings 28420e1328 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_settings (business_id, tells_customers, reminds, updated_at) VALUES ($1, $2, $3, $4) ON CONFLICT (business_id) DO UPDATE SET tells_customers = notice_settings.tells_customers OR excluded.tells_customers, reminds = notice_settings.reminds OR excluded.reminds

-- insert notice_settings 3c08429667 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_settings ("business_id","settings","quiet_minutes","reminder_minutes","updated_at") VALUES ($1,$2,$3,$4,$5) ON CONFLICT (business_id) DO UPDATE SET settings = excluded.settings, quiet_minutes = excluded.quiet_minutes, reminder_minutes = excluded.reminder_minutes, updated_at = excluded.updated_at

-- insert notice_settings 3d339ec797 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_settings ("business_id","sealed_gateway","updated_at") VALUES ($1,$2,$3) ON CONFLICT (business_id) DO UPDATE SET sealed_gateway = excluded.sealed_gateway, updated_at = excluded.updated_at

-- select notice_settings 4775ce06a9 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT settings FROM notice_settings WHERE business_id = $1

-- select notice_settings ac7f378070 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT coalesce(quiet_minutes, $1) AS quiet_minutes, tells_customers FROM notice_settings WHERE business_id = $2

-- select notice_settings c54e9d95aa (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT settings FROM notice_settings WHERE business_id = $1 FOR NO KEY UPDATE

-- select notice_settings d446249840 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.business_id, t.trip_id FROM notice_settings s JOIN businesses b ON b.business_id = s.business_id AND b.status = 'A' CROSS JOIN LATERAL ( SELECT make_interval(mins => coalesce(s.reminder_minutes, $1::int)) AS lead ) r JOIN trips t ON t.business_id = s.business_id AND t.status = 'confirmed' AND t.deleted_at IS NULL AND t.trip_date > $2 AND t.trip_date <= $3::timestamptz + r.lead WHERE s.reminds AND NOT EXISTS ( SELECT FROM notices n WHERE n.business_id = t.business_id AND n.trip_id = t.trip_id AND n.kind = $4 AND n.created_at >= t.trip_date - r.lead * $5::float8) ORDER BY t.trip_date, t.trip_id LIMIT $6

-- select notice_settings d9c92fca47 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id::text FROM notice_settings WHERE sealed_gateway IS NOT NULL ORDER BY notice_settings.business_id

-- select notice_settings fc327ed089 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT sealed_gateway FROM notice_settings WHERE business_id = $1

-- update notice_settings b3367a60df (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE notice_settings SET tells_customers = $1 OR EXISTS ( SELECT FROM notice_preferences WHERE business_id = $2 AND kinds <> '{}'), reminds = $3 OR EXISTS ( SELECT FROM notice_preferences WHERE business_id = $4 AND 'reminder' = ANY (kinds)) WHERE business_id = $5
