-- delete calendar_links 0ec26cceea (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM calendar_links WHERE business_id = $1 AND kind = $2 AND owner_id = $3 RETURNING owner_id

-- delete calendar_links 6ec6a1fd0c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM calendar_links WHERE business_id = $1 AND kind = 'office' AND owner_id = $2

-- insert calendar_links 0f2ab870c1 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO calendar_links (business_id, kind, owner_id, token_hash, created_at) SELECT $1, $2, o.owner_id, $3, $4 FROM (SELECT user_id AS owner_id FROM business_members WHERE business_id = $5 AND user_id = $6) o ON CONFLICT (business_id, kind, owner_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at RETURNING owner_id

-- insert calendar_links 24d31aea76 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO calendar_links (business_id, kind, owner_id, token_hash, created_at) SELECT $1, $2, o.owner_id, $3, $4 FROM ( SELECT driver_id AS owner_id FROM drivers WHERE business_id = $5 AND driver_id = $6 AND deleted_at IS NULL) o ON CONFLICT (business_id, kind, owner_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at RETURNING owner_id

-- insert calendar_links 64f4815b08 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO calendar_links (business_id, kind, owner_id, token_hash, created_at) SELECT $1, $2, o.owner_id, $3, $4 FROM ( SELECT customer_id AS owner_id FROM customers WHERE business_id = $5 AND customer_id = $6 AND deleted_at IS NULL) o ON CONFLICT (business_id, kind, owner_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at RETURNING owner_id

-- select calendar_links 54f0259a55 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT l.kind, l.owner_id, b.business_id, b.business_name, b.status, b.currency, b.timezone FROM calendar_links l JOIN businesses b ON b.business_id = $1 WHERE l.business_id = $2 AND l.token_hash = $3 AND CASE l.kind WHEN 'driver' THEN EXISTS ( SELECT FROM drivers d WHERE d.business_id = $4 AND d.driver_id = l.owner_id AND d.deleted_at IS NULL) WHEN 'customer' THEN EXISTS ( SELECT FROM customers c WHERE c.business_id = $5 AND c.customer_id = l.owner_id AND c.deleted_at IS NULL) ELSE EXISTS ( SELECT FROM business_members m WHERE m.business_id = $6 AND m.user_id = l.owner_id) END
