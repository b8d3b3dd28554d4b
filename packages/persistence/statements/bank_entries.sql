-- declare bank_entries 4eb689a5e0 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "entry_id", "statement_id", "status", "direction", "booked_on", "amount_minor", "currency", "payer_name", "text", "structured_reference", "bank_reference", "fingerprint", "remittance_id", "created_at" FROM bank_entries WHERE business_id = 1 ORDER BY entry_id ) t

-- insert bank_entries 324637095c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bank_entries (business_id, statement_id, status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference, fingerprint, created_at) SELECT $1::bigint, $2::bigint, e.status, e.direction, e.booked_on, e.amount_minor, e.currency, e.payer_name, e.text, e.structured_reference, e.bank_reference, e.fingerprint, $3::timestamptz FROM ROWS FROM (jsonb_to_recordset($4::jsonb) AS ( status text, direction text, booked_on text, amount_minor bigint, currency text, payer_name text, text text, structured_reference text, bank_reference text, fingerprint text)) WITH ORDINALITY AS e ( status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference, fingerprint, place) ORDER BY e.place ON CONFLICT (business_id, fingerprint) DO NOTHING

-- insert bank_entries d7e858ee60 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bank_entries ("business_id", "entry_id", "statement_id", "status", "direction", "booked_on", "amount_minor", "currency", "payer_name", "text", "structured_reference", "bank_reference", "fingerprint", "remittance_id", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "entry_id", "statement_id", "status", "direction", "booked_on", "amount_minor", "currency", "payer_name", "text", "structured_reference", "bank_reference", "fingerprint", "remittance_id", "created_at" FROM jsonb_populate_recordset(NULL::bank_entries, $1::jsonb) ON CONFLICT DO NOTHING

-- select bank_entries 2c55a2a711 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT s.statement_id, s.business_id, s.format, s.account, s.digest, s.read_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $1::bigint AND e.statement_id = s.statement_id AND true) AS entry_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $2::bigint AND e.statement_id = s.statement_id AND e.status = 'open') AS open_count, s.created_at FROM bank_statements s WHERE business_id = $3 AND digest = $4

-- select bank_entries 2f1abe4929 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT s.statement_id, s.business_id, s.format, s.account, s.digest, s.read_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $1::bigint AND e.statement_id = s.statement_id AND true) AS entry_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $2::bigint AND e.statement_id = s.statement_id AND e.status = 'open') AS open_count, s.created_at FROM bank_statements s WHERE business_id = $3 AND statement_id = $4

-- select bank_entries 3cf6642e8b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT entry_id, statement_id, business_id, status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference, fingerprint, remittance_id, created_at FROM bank_entries WHERE business_id = $1 AND entry_id = $2 AND statement_id = $3 FOR NO KEY UPDATE

-- select bank_entries 635011fc8b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("entry_id") AS highest FROM bank_entries WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.bank_entries_entry_id_seq'::regclass), 0)

-- select bank_entries 66e6816ecf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT entry_id, statement_id, business_id, status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference, fingerprint, remittance_id, created_at, (SELECT count(*) AS total FROM (SELECT FROM bank_entries WHERE business_id = $1 AND statement_id = $2 AND true LIMIT $3) c) AS total FROM bank_entries WHERE business_id = $4 AND statement_id = $5 AND true ORDER BY entry_id LIMIT $6 OFFSET $7

-- select bank_entries cd9defc00a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "entry_id", "statement_id", "status", "direction", "booked_on", "amount_minor", "currency", "payer_name", "text", "structured_reference", "bank_reference", "fingerprint", "remittance_id", "created_at" FROM bank_entries WHERE business_id = 1) t

-- select bank_entries d66d51e597 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT entry_id, statement_id, business_id, status, direction, booked_on, amount_minor, currency, payer_name, text, structured_reference, bank_reference, fingerprint, remittance_id, created_at, (SELECT count(*) AS total FROM (SELECT FROM bank_entries WHERE business_id = $1 AND statement_id = $2 AND status = $3 LIMIT $4) c) AS total FROM bank_entries WHERE business_id = $5 AND statement_id = $6 AND status = $7 ORDER BY entry_id LIMIT $8 OFFSET $9

-- select bank_entries f0f28cb0d0 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT s.statement_id, s.business_id, s.format, s.account, s.digest, s.read_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $1::bigint AND e.statement_id = s.statement_id AND true) AS entry_count, ( SELECT count(*)::int FROM bank_entries e WHERE e.business_id = $2::bigint AND e.statement_id = s.statement_id AND e.status = 'open') AS open_count, s.created_at, (SELECT count(*) AS total FROM (SELECT FROM bank_statements s WHERE business_id = $3 LIMIT $4) c) AS total FROM bank_statements s WHERE business_id = $5 ORDER BY statement_id DESC LIMIT $6 OFFSET $7

-- select bank_entries fdc34e8f6a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM bank_entries WHERE business_id = 5

-- update bank_entries 8d280ecf21 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE bank_entries SET status = $1, remittance_id = $2 WHERE business_id = $3 AND entry_id = $4
