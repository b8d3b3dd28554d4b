-- insert schedule_locks ef2ea5213a (ports)
INSERT INTO schedule_locks ("business_id","resource","resource_id") VALUES ($1,$2,$3),($4,$5,$6),($7,$8,$9) ON CONFLICT (business_id, resource, resource_id) DO UPDATE SET resource = excluded.resource WHERE false
