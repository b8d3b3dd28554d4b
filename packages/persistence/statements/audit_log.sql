-- insert audit_log b77994c242 (ports, requests, commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO audit_log (at, actor, action, subject, business_id, before, after, reason, request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- select audit_log ac67e8d096 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM audit_log LIMIT 1) AS holds
