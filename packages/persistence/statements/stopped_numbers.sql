-- delete stopped_numbers d54904d993 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM stopped_numbers WHERE business_id = $1 AND phone_hash = $2

-- insert stopped_numbers 5296bcd423 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO stopped_numbers ("business_id","phone_hash","stopped_at") VALUES ($1,$2,$3) ON CONFLICT (business_id, phone_hash) DO NOTHING

-- select stopped_numbers 8f8fedfb5b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT phone_hash FROM stopped_numbers WHERE business_id = $1 AND phone_hash = $2
