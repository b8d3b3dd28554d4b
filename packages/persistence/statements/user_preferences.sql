-- delete user_preferences 50ac207c90 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM user_preferences WHERE user_id = ANY ($1::bigint[])

-- insert user_preferences 1d5a62b061 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO user_preferences (user_id, language, theme, board, updated_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (user_id) DO UPDATE SET language = excluded.language, theme = excluded.theme, board = excluded.board, updated_at = excluded.updated_at

-- select user_preferences 3689b5ad8c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT language, theme, board FROM user_preferences WHERE user_id = $1
