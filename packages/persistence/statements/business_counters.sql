-- declare business_counters dde7411e96 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "email_credits_change" FROM business_counters WHERE business_id = 1 ) t

-- insert business_counters 08ea94741a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_counters (business_id) SELECT business_id FROM businesses WHERE business_id = $1 ON CONFLICT DO NOTHING

-- insert business_counters 0b5c9f97eb (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_counters AS c (business_id, email_credits_change) VALUES ($1, 1) ON CONFLICT (business_id) DO UPDATE SET email_credits_change = c.email_credits_change + 1

-- insert business_counters 5ede794eaa (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_counters (business_id, email_credits_change) VALUES ($1, $2) ON CONFLICT (business_id) DO UPDATE SET email_credits_change = excluded.email_credits_change

-- insert business_counters 68a7f4d392 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO business_counters AS t ("business_id", "email_credits_change") OVERRIDING SYSTEM VALUE SELECT "business_id", "email_credits_change" FROM jsonb_populate_recordset(NULL::business_counters, $1::jsonb) ON CONFLICT ("business_id") DO UPDATE SET "email_credits_change" = EXCLUDED."email_credits_change" WHERE (t."email_credits_change") IS DISTINCT FROM (EXCLUDED."email_credits_change")

-- select business_counters 151fd08794 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.business_id, b.business_name, b.status, b.currency, b.timezone, b.business_email, b.dunning FROM business_counters c JOIN businesses b USING (business_id) WHERE b.business_id > $1 AND b.status = 'A' AND c.email_credits_change > 0 AND b.dunning @> '{"automatic": true}' AND b.dunning -> 'levels' <> '[]' ORDER BY b.business_id LIMIT $2

-- select business_counters 1c584d38fe (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, email_credits_change AS email_credits FROM business_counters WHERE business_id = ANY ($1::bigint[])

-- select business_counters aa2ccdc212 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM business_counters WHERE business_id = $1 FOR NO KEY UPDATE

-- select business_counters cd892ac2bc (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM business_counters WHERE business_id = 5

-- select business_counters d82456302d (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "email_credits_change" FROM business_counters WHERE business_id = 1) t

-- update business_counters 6399d0b765 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE business_counters SET email_credits_change = email_credits_change - 1 WHERE business_id = $1 AND email_credits_change > 0 RETURNING business_id, email_credits_change AS email_credits
