-- declare bank_statements 52e9efe475 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "statement_id", "format", "account", "digest", "read_count", "created_at" FROM bank_statements WHERE business_id = 1 ORDER BY statement_id ) t

-- insert bank_statements 27bd8b04f9 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bank_statements AS t ("business_id", "statement_id", "format", "account", "digest", "read_count", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "statement_id", "format", "account", "digest", "read_count", "created_at" FROM jsonb_populate_recordset(NULL::bank_statements, $1::jsonb) ON CONFLICT ("business_id", "statement_id") DO UPDATE SET "format" = EXCLUDED."format", "account" = EXCLUDED."account", "digest" = EXCLUDED."digest", "read_count" = EXCLUDED."read_count", "created_at" = EXCLUDED."created_at" WHERE (t."format", t."account", t."digest", t."read_count", t."created_at") IS DISTINCT FROM (EXCLUDED."format", EXCLUDED."account", EXCLUDED."digest", EXCLUDED."read_count", EXCLUDED."created_at")

-- insert bank_statements c102712b54 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bank_statements ("business_id","format","account","digest","read_count","created_at") VALUES ($1,$2,$3,$4,$5,$6) ON CONFLICT (business_id, digest) DO NOTHING RETURNING statement_id

-- select bank_statements 0be72d8e1e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "statement_id", "format", "account", "digest", "read_count", "created_at" FROM bank_statements WHERE business_id = 1) t

-- select bank_statements 1dd538dee3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("statement_id") AS highest FROM bank_statements WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.bank_statements_statement_id_seq'::regclass), 0)

-- select bank_statements 82b9b14628 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM bank_statements WHERE business_id = 5
