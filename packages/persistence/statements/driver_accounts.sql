-- delete driver_accounts e46173f29f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_accounts WHERE user_id = ANY ($1::bigint[])

-- insert driver_accounts 20f10d9293 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_accounts (user_id, business_id) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- select driver_accounts 7fd8fbc0a2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT DISTINCT business_id FROM driver_accounts WHERE user_id = ANY ($1::bigint[])
