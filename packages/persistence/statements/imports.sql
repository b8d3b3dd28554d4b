-- insert imports 923a7e54ef (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO imports (business_id, kind, dry_run, columns, day_first, delimiter, lines, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING import_id, business_id, kind, dry_run, columns, day_first, delimiter, lines, made, matched, changed, refused, attempts, reason, created_at, finished_at

-- select imports 3ff089209e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT import_id, business_id, kind, dry_run, columns, day_first, delimiter, lines, made, matched, changed, refused, attempts, reason, created_at, finished_at, (SELECT count(*) AS total FROM (SELECT FROM imports WHERE (business_id = $1 AND dry_run = $2) LIMIT $3) c) AS total FROM imports WHERE (business_id = $4 AND dry_run = $5) ORDER BY import_id DESC LIMIT $6 OFFSET $7

-- select imports 496d18abc3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT import_id, business_id, kind, dry_run, columns, day_first, delimiter, lines, made, matched, changed, refused, attempts, reason, created_at, finished_at FROM imports WHERE business_id = $1 AND import_id = $2

-- select imports 54b3cc5f77 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, import_id FROM imports WHERE finished_at IS NULL ORDER BY import_id LIMIT $1

-- select imports 98e085282e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT import_id, business_id, kind, dry_run, columns, day_first, delimiter, lines, made, matched, changed, refused, attempts, reason, created_at, finished_at FROM imports WHERE business_id = $1 AND import_id = $2 AND finished_at IS NULL FOR NO KEY UPDATE SKIP LOCKED

-- select imports a7e60dcb39 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT import_id, business_id, kind, dry_run, columns, day_first, delimiter, lines, made, matched, changed, refused, attempts, reason, created_at, finished_at, (SELECT count(*) AS total FROM (SELECT FROM imports WHERE business_id = $1 LIMIT $2) c) AS total FROM imports WHERE business_id = $3 ORDER BY import_id DESC LIMIT $4 OFFSET $5

-- update imports 87fcca6360 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE imports SET made = made + $1, matched = matched + $2, changed = changed + $3, refused = refused + $4 WHERE business_id = $5 AND import_id = $6

-- update imports 9b1dea4473 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE imports SET attempts = $1, reason = $2, finished_at = $3 WHERE business_id = $4 AND import_id = $5
