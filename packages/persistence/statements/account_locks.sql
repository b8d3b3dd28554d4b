-- insert account_locks 60697e3c35 (ports, requests)
INSERT INTO account_locks (user_id) SELECT user_id FROM users WHERE user_id = $1 ON CONFLICT DO NOTHING

-- select account_locks 555047f1ac (ports, requests)
SELECT FROM account_locks WHERE user_id = $1 FOR NO KEY UPDATE
