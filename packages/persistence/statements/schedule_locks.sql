-- insert schedule_locks ef2ea5213a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO schedule_locks ("business_id","resource","resource_id") VALUES ($1,$2,$3),($4,$5,$6),($7,$8,$9) ON CONFLICT (business_id, resource, resource_id) DO UPDATE SET resource = excluded.resource WHERE false
