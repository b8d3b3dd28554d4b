-- declare invoice_reminders 97b0f888f3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "invoice_id", "due_date", "days", "sent_at" FROM invoice_reminders WHERE business_id = 1 ORDER BY invoice_id, due_date, days ) t

-- insert invoice_reminders 4c3f3ed2a7 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_reminders (business_id, invoice_id, due_date, days, sent_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING

-- insert invoice_reminders 9b8c460ec5 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_reminders AS t ("business_id", "invoice_id", "due_date", "days", "sent_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "invoice_id", "due_date", "days", "sent_at" FROM jsonb_populate_recordset(NULL::invoice_reminders, $1::jsonb) ON CONFLICT ("business_id", "invoice_id", "due_date", "days") DO UPDATE SET "sent_at" = EXCLUDED."sent_at" WHERE (t."sent_at") IS DISTINCT FROM (EXCLUDED."sent_at")

-- select invoice_reminders 8d0b22e717 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "invoice_id", "due_date", "days", "sent_at" FROM invoice_reminders WHERE business_id = 1) t

-- select invoice_reminders e47fe10aaf (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM invoice_reminders WHERE business_id = 5
