-- declare credit_notes 3fc44ed018 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "credit_note_id", "invoice_id", "number", "reason", "currency", "lines", "taxes", "subtotal_minor", "tax_minor", "total_minor", "refund_minor", "notes", "created_at", "shown_number" FROM credit_notes WHERE business_id = 1 ORDER BY credit_note_id ) t

-- insert credit_notes b295b2c463 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO credit_notes AS t ("business_id", "credit_note_id", "invoice_id", "number", "reason", "currency", "lines", "taxes", "subtotal_minor", "tax_minor", "total_minor", "refund_minor", "notes", "created_at", "shown_number") OVERRIDING SYSTEM VALUE SELECT "business_id", "credit_note_id", "invoice_id", "number", "reason", "currency", "lines", "taxes", "subtotal_minor", "tax_minor", "total_minor", "refund_minor", "notes", "created_at", "shown_number" FROM jsonb_populate_recordset(NULL::credit_notes, $1::jsonb) ON CONFLICT ("business_id", "credit_note_id") DO UPDATE SET "invoice_id" = EXCLUDED."invoice_id", "number" = EXCLUDED."number", "reason" = EXCLUDED."reason", "currency" = EXCLUDED."currency", "lines" = EXCLUDED."lines", "taxes" = EXCLUDED."taxes", "subtotal_minor" = EXCLUDED."subtotal_minor", "tax_minor" = EXCLUDED."tax_minor", "total_minor" = EXCLUDED."total_minor", "refund_minor" = EXCLUDED."refund_minor", "notes" = EXCLUDED."notes", "created_at" = EXCLUDED."created_at", "shown_number" = EXCLUDED."shown_number" WHERE (t."invoice_id", t."number", t."reason", t."currency", t."lines", t."taxes", t."subtotal_minor", t."tax_minor", t."total_minor", t."refund_minor", t."notes", t."created_at", t."shown_number") IS DISTINCT FROM (EXCLUDED."invoice_id", EXCLUDED."number", EXCLUDED."reason", EXCLUDED."currency", EXCLUDED."lines", EXCLUDED."taxes", EXCLUDED."subtotal_minor", EXCLUDED."tax_minor", EXCLUDED."total_minor", EXCLUDED."refund_minor", EXCLUDED."notes", EXCLUDED."created_at", EXCLUDED."shown_number")

-- insert credit_notes d9fba7742c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO credit_notes ("business_id","invoice_id","reason","currency","lines","taxes","subtotal_minor","tax_minor","total_minor","refund_minor","notes","number","shown_number","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14) RETURNING credit_note_id, business_id, invoice_id, coalesce(shown_number, number) AS number, reason, currency, lines, taxes, subtotal_minor, tax_minor, total_minor, refund_minor, notes, created_at

-- select credit_notes 241bd5f703 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT credit_note_id, business_id, invoice_id, coalesce(shown_number, number) AS number, reason, currency, lines, taxes, subtotal_minor, tax_minor, total_minor, refund_minor, notes, created_at FROM credit_notes WHERE business_id = $1 AND credit_note_id = $2 AND invoice_id = $3

-- select credit_notes 45f1b5d556 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "credit_note_id", "invoice_id", "number", "reason", "currency", "lines", "taxes", "subtotal_minor", "tax_minor", "total_minor", "refund_minor", "notes", "created_at", "shown_number" FROM credit_notes WHERE business_id = 1) t

-- select credit_notes 7e1d4bc419 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT credit_note_id, business_id, invoice_id, coalesce(shown_number, number) AS number, reason, currency, lines, taxes, subtotal_minor, tax_minor, total_minor, refund_minor, notes, created_at, (SELECT count(*) AS total FROM (SELECT FROM credit_notes WHERE business_id = $1 AND invoice_id = $2 LIMIT $3) c) AS total FROM credit_notes WHERE business_id = $4 AND invoice_id = $5 ORDER BY credit_note_id LIMIT $6 OFFSET $7

-- select credit_notes 87367c8f8b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM credit_notes WHERE business_id = 5

-- select credit_notes ad0f07c54f (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT credit_note_id, business_id, invoice_id, coalesce(shown_number, number) AS number, reason, currency, lines, taxes, subtotal_minor, tax_minor, total_minor, refund_minor, notes, created_at FROM credit_notes WHERE (business_id, invoice_id) > ($1, $2) AND (business_id, invoice_id) <= ($3, $4) ORDER BY credit_note_id

-- select credit_notes b5d802edbe (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT credit_note_id, business_id, invoice_id, coalesce(shown_number, number) AS number, reason, currency, lines, taxes, subtotal_minor, tax_minor, total_minor, refund_minor, notes, created_at FROM credit_notes WHERE business_id = $1 AND invoice_id = $2 ORDER BY credit_note_id

-- select credit_notes f64f38819b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("credit_note_id") AS highest FROM credit_notes WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.credit_notes_credit_note_id_seq'::regclass), 0)
