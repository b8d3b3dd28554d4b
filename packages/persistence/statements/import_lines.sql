-- delete import_lines 0906fbad97 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM import_lines WHERE business_id = $1 AND import_id IN ( SELECT import_id FROM imports WHERE business_id = $2 AND finished_at IS NOT NULL)

-- delete import_lines 7559e04b48 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM import_lines l USING ( SELECT i.business_id, i.import_id FROM imports i WHERE i.finished_at < $1 AND EXISTS ( SELECT FROM import_lines k WHERE k.business_id = i.business_id AND k.import_id = i.import_id) ORDER BY i.finished_at LIMIT 100) old WHERE l.business_id = old.business_id AND l.import_id = old.import_id

-- insert import_lines 1b27b3be0e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO import_lines (business_id, import_id, line, cells, reasons) SELECT $1::bigint, $2::bigint, l.line, l.cells, '[]' FROM jsonb_to_recordset($3::jsonb) AS l (line integer, cells jsonb)

-- select import_lines 26e08aff3a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT line, cells, status, record_id, reasons, (SELECT count(*) AS total FROM (SELECT FROM import_lines WHERE business_id = $1 AND import_id = $2 AND status = $3 LIMIT $4) c) AS total FROM import_lines WHERE business_id = $5 AND import_id = $6 AND status = $7 ORDER BY line LIMIT $8 OFFSET $9

-- select import_lines 55e36d32da (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT line, cells, status, record_id, reasons, (SELECT count(*) AS total FROM (SELECT FROM import_lines WHERE business_id = $1 AND import_id = $2 AND true LIMIT $3) c) AS total FROM import_lines WHERE business_id = $4 AND import_id = $5 AND true ORDER BY line LIMIT $6 OFFSET $7

-- select import_lines 913e64d019 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT line, cells, status, record_id, reasons FROM import_lines WHERE business_id = $1 AND import_id = $2 AND status IS NULL ORDER BY line LIMIT $3

-- update import_lines 4275e6a251 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE import_lines l SET status = o.status, record_id = o.record_id, reasons = o.reasons FROM jsonb_to_recordset($1::jsonb) AS o (line integer, status text, record_id bigint, reasons jsonb) WHERE l.business_id = $2 AND l.import_id = $3 AND l.line = o.line
