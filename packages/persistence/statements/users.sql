-- insert users 783e91364e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO users (email, name, mobile_phone, account_type, password_hash, email_verified_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email) DO NOTHING RETURNING user_id

-- select users 0c923bfb89 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, u.password_hash FROM users u WHERE u.user_id = $1

-- select users 16b99627e2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT user_id AS id, name, email, user_id, name AS user_name, email AS user_email FROM users WHERE user_id = $1

-- select users 528cbcbd60 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified FROM users u WHERE u.user_id = $1

-- select users 5315203a59 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH matching AS MATERIALIZED (SELECT * FROM users u WHERE (u.name ILIKE $1 OR u.email ILIKE $2)) SELECT c.total, items.* FROM (SELECT count(*) AS total FROM (SELECT FROM matching u WHERE true LIMIT $3) c) c LEFT JOIN LATERAL ( SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at, true AS is_item FROM matching u WHERE true ORDER BY u.user_id ASC LIMIT 101) items ON true

-- select users 5defb72b37 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, u.password_hash FROM users u WHERE u.email = $1

-- select users 7ee9e8ce55 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT user_id FROM users WHERE email = $1

-- select users a0fc82af34 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT account_type FROM users WHERE user_id = $1

-- select users ccd50defdf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT m.user_id, (SELECT u.name FROM users u WHERE u.user_id = m.user_id) AS name, (SELECT u.email FROM users u WHERE u.user_id = m.user_id) AS email, m.role, m.created_at, (SELECT count(*) AS total FROM (SELECT FROM business_members m WHERE m.business_id = $1 LIMIT $2) c) AS total FROM business_members m WHERE m.business_id = $3 ORDER BY m.user_id LIMIT $4 OFFSET $5

-- select users e9085b6b3c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH matching AS MATERIALIZED (SELECT * FROM users u WHERE (u.name ILIKE $1 OR u.email ILIKE $2)) SELECT c.total, items.* FROM (SELECT count(*) AS total FROM (SELECT FROM matching u WHERE ((u.account_type, u.user_id) >= ((SELECT $3::text), 0) AND (u.account_type, u.user_id) <= ((SELECT $4::text), $5::bigint)) LIMIT $6) c) c LEFT JOIN LATERAL ( SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified, ARRAY( SELECT m.business_id FROM business_members m WHERE m.user_id = u.user_id ORDER BY m.business_id) AS business_ids, u.created_at, u.updated_at, true AS is_item FROM matching u WHERE ((u.account_type, u.user_id) >= ((SELECT $7::text), 0) AND (u.account_type, u.user_id) <= ((SELECT $8::text), $9::bigint)) ORDER BY u.account_type ASC, u.user_id ASC LIMIT 101) items ON true

-- select users eacb751077 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT FROM users) AS any

-- update users 0701fd0f27 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE users SET "name" = $1, "mobile_phone" = $2, "password_hash" = $3, "email_verified_at" = $4, "updated_at" = $5, email = 'erased-' || user_id || '@erased.invalid' WHERE user_id = ANY ($6::bigint[])

-- update users 22cafc8fd4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE users SET email_verified_at = $1, updated_at = $2 WHERE user_id = $3 AND email_verified_at IS NULL

-- update users 35944e5cb6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE users u SET name = coalesce($1, u.name), mobile_phone = CASE WHEN $2 THEN $3 ELSE u.mobile_phone END, updated_at = $4 WHERE u.user_id = $5 RETURNING u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified

-- update users ebdf13911e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE users SET password_hash = $1 WHERE user_id = $2
