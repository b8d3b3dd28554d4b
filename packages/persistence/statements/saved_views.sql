-- delete saved_views 16680914ae (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM saved_views WHERE user_id = $1 AND view_id = $2 RETURNING view_id

-- delete saved_views 16d856d504 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM saved_views WHERE user_id = ANY ($1::bigint[])

-- delete saved_views af0aeb697e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM saved_views WHERE view_id = ANY ($1::bigint[])

-- insert saved_views d98b109bf0 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO saved_views (user_id, name, screen, query, created_at, updated_at) SELECT $1::bigint, $2::text, $3::text, $4::text, $5::timestamptz, $6::timestamptz WHERE (SELECT count(*) FROM saved_views WHERE user_id = $7) < $8 RETURNING view_id, name, screen, query, created_at, updated_at

-- select saved_views 917ff1d06c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT view_id, name, query FROM saved_views WHERE user_id IN (SELECT user_id FROM business_members WHERE business_id = $1) ORDER BY view_id

-- select saved_views c722489340 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT view_id, name, screen, query, created_at, updated_at FROM saved_views WHERE user_id = $1 ORDER BY screen COLLATE "C", name COLLATE "C", view_id LIMIT $2

-- update saved_views f5eb97a614 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE saved_views SET name = coalesce($1, name), screen = coalesce($2, screen), query = coalesce($3, query), updated_at = $4 WHERE user_id = $5 AND view_id = $6 RETURNING view_id, name, screen, query, created_at, updated_at
