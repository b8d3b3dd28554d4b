-- insert platform_settings 5b86895e53 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO platform_settings (setting_key, value, updated_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING

-- select platform_settings 813ee17898 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT setting_key, value, updated_at FROM platform_settings ORDER BY setting_key

-- select platform_settings 904cd53952 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT setting_key, value, updated_at FROM platform_settings WHERE setting_key = $1 FOR UPDATE

-- update platform_settings effdac5373 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE platform_settings SET value = $1, updated_at = $2 WHERE setting_key = $3 RETURNING setting_key, value, updated_at
