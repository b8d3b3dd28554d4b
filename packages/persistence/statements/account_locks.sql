-- insert account_locks 60697e3c35 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO account_locks (user_id) SELECT user_id FROM users WHERE user_id = $1 ON CONFLICT DO NOTHING

-- select account_locks 555047f1ac (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM account_locks WHERE user_id = $1 FOR NO KEY UPDATE
