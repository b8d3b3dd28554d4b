-- delete devices 0837e82eef (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH surplus AS ( DELETE FROM devices WHERE device_token IN ( SELECT device_token FROM devices WHERE user_id = $1 AND device_token <> $2 ORDER BY updated_at DESC, device_token OFFSET $3) ) INSERT INTO devices (device_token, user_id, platform, device_name, created_at, updated_at) VALUES ($4, $5, $6, $7, $8, $9) ON CONFLICT (device_token) DO UPDATE SET user_id = excluded.user_id, platform = excluded.platform, device_name = excluded.device_name, updated_at = excluded.updated_at

-- delete devices 3cc12aace4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM devices WHERE user_id = $1 AND device_token = $2 RETURNING device_token

-- delete devices c2fbd244de (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM devices WHERE user_id = ANY ($1::bigint[])

-- select devices 23f29c8ef4 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT platform, device_token, device_name FROM devices WHERE user_id = $1 ORDER BY updated_at DESC, device_token LIMIT $2
