-- delete business_members 462a6aca68 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM business_members WHERE business_id = $1 AND user_id = $2

-- delete business_members 4c98b38aa3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM business_members WHERE user_id = ANY ($1::bigint[])

-- insert business_members 2789ae343e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_members (business_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING

-- insert business_members 5df31cb9f1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_members (business_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING user_id

-- select business_members 0b2d4a83bc (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at, (SELECT count(*) AS total FROM (SELECT FROM users u WHERE true LIMIT $1) c) AS total FROM users u WHERE true ORDER BY u.user_id ASC LIMIT 21

-- select business_members 0cf060cf2b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT s.session_id, u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, coalesce(( SELECT json_agg(json_build_object('business_id', b.business_id, 'business_name', b.business_name, 'status', b.status, 'currency', b.currency, 'timezone', b.timezone, 'role', m.role) ORDER BY b.business_id) FROM business_members m JOIN businesses b USING (business_id) WHERE m.user_id = u.user_id), '[]') AS businesses FROM session_families s JOIN users u USING (user_id) WHERE s.session_id = ANY ($1::bigint[]) AND s.revoked_at IS NULL AND s.expires_at > $2

-- select business_members 23fc89537a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at FROM ( SELECT * FROM users u WHERE ((u.account_type, u.user_id) >= ((SELECT $1::text), 0) AND (u.account_type, u.user_id) <= ((SELECT $2::text), $3::bigint)) ORDER BY u.account_type ASC, u.user_id ASC LIMIT 2020) u WHERE (u.name ILIKE $4 OR u.email ILIKE $5) ORDER BY u.account_type ASC, u.user_id ASC LIMIT 101

-- select business_members 456357476b (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at, (SELECT count(*) AS total FROM (SELECT FROM users u WHERE true LIMIT $1) c) AS total FROM users u WHERE true ORDER BY u.user_id ASC LIMIT $2 OFFSET $3

-- select business_members 6746f3a21c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int AS owners FROM business_members WHERE business_id = $1 AND role = 'owner'

-- select business_members 7a9b4e2b11 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.business_id, b.business_name, b.status, b.currency, b.timezone FROM business_members m JOIN businesses b USING (business_id) WHERE m.user_id = $1

-- select business_members 7f00f03efd (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT m.user_id, u.name AS name, u.email AS email, m.role, m.created_at FROM business_members m JOIN users u USING (user_id) WHERE m.business_id = $1 AND u.email = $2

-- select business_members 943b15253e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at FROM users u WHERE u.user_id = $1

-- select business_members a558d49bf6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT m.user_id, u.name AS name, u.email AS email, m.role, m.created_at FROM business_members m JOIN users u USING (user_id) WHERE m.business_id = $1 AND m.user_id = $2

-- select business_members b0f5430730 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id AS id FROM business_members WHERE user_id = $1 UNION ALL SELECT business_id FROM drivers WHERE user_id = $2 AND (business_id, driver_id) <> ($3, $4) AND deleted_at IS NULL

-- select business_members d907604d38 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at FROM ( SELECT * FROM users u WHERE true ORDER BY u.user_id ASC LIMIT 2020) u WHERE (u.name ILIKE $1 OR u.email ILIKE $2) ORDER BY u.user_id ASC LIMIT 101

-- update business_members abf54bbb78 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE business_members SET role = $1 WHERE business_id = $2 AND user_id = $3
