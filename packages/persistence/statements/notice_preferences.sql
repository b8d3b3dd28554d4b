-- insert notice_preferences b2b0afed9e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notice_preferences (business_id, customer_id, kinds, channels, updated_at) VALUES ($1, $2, $3::text[], $4::text[], $5) ON CONFLICT (business_id, customer_id) DO UPDATE SET kinds = excluded.kinds, channels = excluded.channels, updated_at = excluded.updated_at

-- select notice_preferences 3f71ce6bb2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT kinds, channels FROM notice_preferences WHERE business_id = $1 AND customer_id = $2
