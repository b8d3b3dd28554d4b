-- delete erasures f154f5c190 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM erasures WHERE erasure_key = $1 AND lease = $2

-- insert erasures a315829c1e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO erasures AS e ("erasure_key","started_at","progress","person","subject","actor","reason","lease","attempt","due_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) ON CONFLICT (erasure_key) DO UPDATE SET "person" = $11, "subject" = $12, "actor" = $13, "reason" = $14, "lease" = $15, "attempt" = $16, "due_at" = $17, progress = CASE WHEN e.person = excluded.person THEN e.progress ELSE '{}' END RETURNING erasure_key AS key, person, subject, actor, reason, progress, lease, attempt

-- select erasures 3e870c3c76 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT person FROM erasures WHERE erasure_key = $1

-- select erasures 42687cf6bb (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT lease FROM erasures WHERE erasure_key = $1 AND lease = $2 FOR UPDATE

-- update erasures 0bf273f1c2 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE erasures SET due_at = $1 WHERE erasure_key = $2 AND lease = $3

-- update erasures 6164fe41af (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE erasures SET progress = $1::jsonb, attempt = 0, due_at = $2 WHERE erasure_key = $3 AND lease = $4

-- update erasures 9e6d6002be (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE erasures SET lease = $1, attempt = attempt + 1, due_at = $2 WHERE erasure_key = ( SELECT erasure_key FROM erasures WHERE due_at <= $3 ORDER BY due_at, erasure_key LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING erasure_key AS key, person, subject, actor, reason, progress, lease, attempt
