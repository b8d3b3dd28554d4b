-- insert failed_letters b9ab7984ff (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO failed_letters ("business_id","kind","reference","attempts","reason","posted_at","failed_at") VALUES ($1,$2,$3,$4,$5,$6,$7)

-- select failed_letters a40e0dd482 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT l.letter_id, l.kind, l.reference, l.attempts, l.reason, l.posted_at, l.failed_at, (SELECT count(*) AS total FROM (SELECT FROM failed_letters l WHERE l.business_id = $1 LIMIT $2) c) AS total FROM failed_letters l WHERE l.business_id = $3 ORDER BY l.letter_id DESC LIMIT $4 OFFSET $5
