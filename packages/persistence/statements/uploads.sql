-- insert uploads 90fcebbf49 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO uploads ("business_id","file_name","content_type","size","created_at") VALUES ($1,$2,$3,$4,$5) RETURNING *

-- select uploads 0fb32ddf36 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT * FROM uploads WHERE business_id = $1 AND upload_id = $2

-- select uploads 74c296320e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT * FROM uploads WHERE business_id = $1 AND file_name = $2
