-- declare invoices 9dbcac2945 (commands)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "invoice_id", "number", "customer_id", "status", "currency", "lines", "subtotal_minor", "tax_minor", "total_minor", "paid_minor", "credited_minor", "excess_minor", "untaxed_as", "untaxed_reason", "spent_attempts", "refund_references", "due_date", "notes", "payment_hash", "sent_at", "viewed_at", "voided_at", "created_at", "updated_at", "deleted_at", "sealed_at", "corrects_invoice_id", "corrected_by_invoice_id", "issued_on", "service_from", "service_to", "buyer_reference", "email_status", "email_failed_at", "shown_number", "fee_of_invoice_id", "reminder_level", "last_reminder_at", "reminder_fees_minor" FROM invoices WHERE business_id = 1 ORDER BY invoice_id ) t

-- delete invoices 5214e3e31d (ports)
DELETE FROM invoices WHERE business_id = $1 AND invoice_id = $2

-- insert invoices 3515a8bbdd (ports)
INSERT INTO invoices AS i ("business_id","customer_id","status","currency","lines","subtotal_minor","tax_minor","total_minor","paid_minor","credited_minor","excess_minor","issued_on","due_date","service_from","service_to","buyer_reference","notes","untaxed_as","untaxed_reason","corrects_invoice_id","corrected_by_invoice_id","fee_of_invoice_id","reminder_level","last_reminder_at","reminder_fees_minor","payment_hash","sent_at","email_status","email_failed_at","viewed_at","sealed_at","voided_at","number","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31,$32,$33,$34,$35) RETURNING i.invoice_id, i.business_id, coalesce(i.shown_number, i.number, '') AS number, i.customer_id, i.status, i.currency, i.lines, i.subtotal_minor, i.tax_minor, i.total_minor, i.paid_minor, i.credited_minor, i.excess_minor, i.issued_on, i.due_date, i.service_from, i.service_to, i.buyer_reference, i.notes, ARRAY[]::bigint[] AS trip_ids, i.untaxed_as, i.untaxed_reason, i.corrects_invoice_id, i.corrected_by_invoice_id, i.fee_of_invoice_id, i.reminder_level, i.last_reminder_at, i.reminder_fees_minor, i.payment_hash, i.sent_at, i.email_status, i.email_failed_at, i.viewed_at, i.sealed_at, i.voided_at, i.created_at, i.updated_at

-- insert invoices 5a3fa307f7 (commands)
INSERT INTO invoices ("business_id", "invoice_id", "number", "customer_id", "status", "currency", "lines", "subtotal_minor", "tax_minor", "total_minor", "paid_minor", "credited_minor", "excess_minor", "untaxed_as", "untaxed_reason", "spent_attempts", "refund_references", "due_date", "notes", "payment_hash", "sent_at", "viewed_at", "voided_at", "created_at", "updated_at", "deleted_at", "sealed_at", "corrects_invoice_id", "corrected_by_invoice_id", "issued_on", "service_from", "service_to", "buyer_reference", "email_status", "email_failed_at", "shown_number", "fee_of_invoice_id", "reminder_level", "last_reminder_at", "reminder_fees_minor") OVERRIDING SYSTEM VALUE SELECT "business_id", "invoice_id", "number", "customer_id", "status", "currency", "lines", "subtotal_minor", "tax_minor", "total_minor", "paid_minor", "credited_minor", "excess_minor", "untaxed_as", "untaxed_reason", "spent_attempts", "refund_references", "due_date", "notes", regexp_replace("payment_hash", '^inv_[0-9a-z]+_', 'inv_' || coalesce((SELECT link_key FROM businesses WHERE business_id = 5), '0') || '_'), "sent_at", "viewed_at", "voided_at", "created_at", "updated_at", "deleted_at", "sealed_at", "corrects_invoice_id", "corrected_by_invoice_id", "issued_on", "service_from", "service_to", "buyer_reference", "email_status", "email_failed_at", "shown_number", "fee_of_invoice_id", "reminder_level", "last_reminder_at", "reminder_fees_minor" FROM jsonb_populate_recordset(NULL::invoices, $1::jsonb) ON CONFLICT DO NOTHING

-- insert invoices e22437b407 (ports, requests)
INSERT INTO invoices AS i ("business_id","customer_id","status","currency","lines","subtotal_minor","tax_minor","total_minor","paid_minor","credited_minor","excess_minor","issued_on","due_date","service_from","service_to","buyer_reference","notes","untaxed_as","untaxed_reason","corrects_invoice_id","corrected_by_invoice_id","fee_of_invoice_id","reminder_level","last_reminder_at","reminder_fees_minor","payment_hash","sent_at","email_status","email_failed_at","viewed_at","sealed_at","voided_at","number","shown_number","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27,$28,$29,$30,$31,$32,$33,$34,$35,$36) RETURNING i.invoice_id, i.business_id, coalesce(i.shown_number, i.number, '') AS number, i.customer_id, i.status, i.currency, i.lines, i.subtotal_minor, i.tax_minor, i.total_minor, i.paid_minor, i.credited_minor, i.excess_minor, i.issued_on, i.due_date, i.service_from, i.service_to, i.buyer_reference, i.notes, ARRAY[]::bigint[] AS trip_ids, i.untaxed_as, i.untaxed_reason, i.corrects_invoice_id, i.corrected_by_invoice_id, i.fee_of_invoice_id, i.reminder_level, i.last_reminder_at, i.reminder_fees_minor, i.payment_hash, i.sent_at, i.email_status, i.email_failed_at, i.viewed_at, i.sealed_at, i.voided_at, i.created_at, i.updated_at

-- select invoices 06e1c89e9b (ports, requests)
SELECT FROM invoices WHERE business_id = $1 AND invoice_id = $2 FOR NO KEY UPDATE

-- select invoices 0f7f43af3a (commands)
SELECT count(*)::int8 AS rows FROM (SELECT max("invoice_id") AS highest FROM invoices WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.invoices_invoice_id_seq'::regclass), 0)

-- select invoices 3095611441 (ports, requests)
SELECT i.invoice_id, i.number, i.currency, c.name, c.company, i.total_minor - i.credited_minor - i.paid_minor AS due_minor FROM invoices i LEFT JOIN customers c ON c.business_id = $1 AND c.customer_id = i.customer_id WHERE i.business_id = $2 AND i.status IN ('unpaid', 'partial') AND i.deleted_at IS NULL AND i.total_minor - i.credited_minor - i.paid_minor > 0 ORDER BY i.invoice_id DESC LIMIT $3

-- select invoices 42f774cb2f (ports)
SELECT count(*) AS count FROM ( SELECT FROM invoices WHERE business_id = $1 AND created_at >= $2 AND created_at < $3 AND number IS NOT NULL LIMIT $4) counted

-- select invoices 4b7dcd14bf (commands)
SELECT count(*)::int8 AS rows FROM invoices WHERE business_id = 5

-- select invoices 4ba8d32584 (ports)
SELECT key, key AS label, currency, documents, net_minor, tax_minor, total_minor FROM ( SELECT to_char(day, 'YYYY-MM-DD') AS key, currency, count(*) AS documents, sum(subtotal_minor)::bigint AS net_minor, sum(tax_minor)::bigint AS tax_minor, sum(total_minor)::bigint AS total_minor FROM ( SELECT 'invoice-' || invoice_id AS document, invoice_id, customer_id, currency, issued_on AS day, lines, NULL::jsonb AS taxes, subtotal_minor, tax_minor, total_minor FROM invoices WHERE business_id = $1 AND deleted_at IS NULL AND status IN ('unpaid', 'partial', 'paid') AND issued_on >= ($2::timestamptz AT TIME ZONE $3)::date AND issued_on < ($4::timestamptz AT TIME ZONE $5)::date UNION ALL SELECT 'note-' || n.credit_note_id, n.invoice_id, i.customer_id, n.currency, (n.created_at::timestamptz AT TIME ZONE $6)::date, n.lines, n.taxes, n.subtotal_minor, n.tax_minor, n.total_minor FROM credit_notes n JOIN invoices i ON i.business_id = $7 AND i.invoice_id = n.invoice_id AND i.deleted_at IS NULL AND i.status <> 'void' WHERE n.business_id = $8 AND n.created_at >= $9 AND n.created_at < $10) d GROUP BY 1, 2 ) r

-- select invoices 4bb4439dc1 (ports)
SELECT refund_references ->> $1::text AS reference FROM invoices WHERE business_id = $2 AND invoice_id = $3

-- select invoices 4ce35f6ea5 (ports, requests)
SELECT invoice_id FROM invoices WHERE business_id = $1 AND customer_id = $2 AND excess_minor > 0 ORDER BY invoice_id

-- select invoices 4f37dff9a7 (ports, requests)
SELECT i.invoice_id AS id FROM invoices i WHERE i.business_id = $1 AND i.deleted_at IS NULL AND i.status IN ('unpaid', 'partial') AND (i.customer_id = ANY ($2::bigint[]) OR i.invoice_id IN ( SELECT r.invoice_id FROM trips r WHERE r.business_id = $3 AND r.deleted_at IS NULL AND r.invoice_id IS NOT NULL AND (r.customer_id = ANY ($4::bigint[]) OR (lower((concat_ws(' ', r.pickup_address, r.pickup_postal_code, r.dropoff_address, r.dropoff_postal_code, r.customer_name, r.customer_email, r.customer_phone, r.flight_number, r.terminal, r.notes, r.special_requirements, r.external_ref, r.group_id, r.details)) COLLATE "C") LIKE ANY ($5::text[]) AND lower(concat_ws(' ', r.pickup_address, r.pickup_postal_code, r.dropoff_address, r.dropoff_postal_code, r.customer_name, r.customer_email, r.customer_phone, r.flight_number, r.terminal, r.notes, r.special_requirements, r.external_ref, r.group_id, r.details)) ~ ANY ($6::text[])) OR ($7 AND ((coalesce(r.customer_phone, '')) ~ ANY ($8::text[]) OR (coalesce(r.details::text, '')) ~ ANY ($9::text[])))) UNION ALL SELECT r.invoice_id FROM bookings r WHERE r.business_id = $10 AND r.invoice_id IS NOT NULL AND (r.customer_id = ANY ($11::bigint[]) OR (lower((concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) COLLATE "C") LIKE ANY ($12::text[]) AND lower(concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) ~ ANY ($13::text[])) OR ($14 AND ((coalesce(r.customer_phone, '')) ~ ANY ($15::text[]) OR ('') ~ ANY ($16::text[])))))) ORDER BY 1 LIMIT $17

-- select invoices 6bf9c49d8f (ports)
SELECT CASE WHEN age <= 0 THEN 'not_due' WHEN age <= 30 THEN 'to_30' WHEN age <= 60 THEN 'to_60' WHEN age <= 90 THEN 'to_90' ELSE 'over_90' END AS key, currency, count(*) AS invoices, sum(due_minor)::bigint AS amount_minor FROM ( SELECT currency, total_minor - credited_minor - paid_minor AS due_minor, $1::date - coalesce(due_date, issued_on) AS age FROM invoices WHERE business_id = $2 AND deleted_at IS NULL AND status IN ('unpaid', 'partial') AND true AND true ) i WHERE due_minor > 0 GROUP BY 1, 2

-- select invoices 7d2458925f (ports, requests)
SELECT (spent_attempts ->> $1::text)::int AS spent FROM invoices WHERE business_id = $2 AND invoice_id = $3

-- select invoices b8b4c52ea6 (ports)
SELECT CASE WHEN age <= 0 THEN 'not_due' WHEN age <= 30 THEN 'to_30' WHEN age <= 60 THEN 'to_60' WHEN age <= 90 THEN 'to_90' ELSE 'over_90' END AS key, currency, count(*) AS invoices, sum(due_minor)::bigint AS amount_minor FROM ( SELECT currency, total_minor - credited_minor - paid_minor AS due_minor, $1::date - coalesce(due_date, issued_on) AS age FROM invoices WHERE business_id = $2 AND deleted_at IS NULL AND status IN ('unpaid', 'partial') AND true AND issued_on < ($3::timestamptz AT TIME ZONE $4)::date ) i WHERE due_minor > 0 GROUP BY 1, 2

-- select invoices c10e869eca (ports)
SELECT count(*)::int AS count FROM invoices

-- select invoices c13246ccbe (ports)
SELECT i.invoice_id AS id FROM invoices i WHERE i.business_id = $1 AND i.invoice_id > $2 AND i.customer_id = ANY ($3::bigint[]) UNION SELECT s.invoice_id FROM invoice_snapshots s WHERE s.business_id = $4 AND s.invoice_id > $5 AND (lower(jsonb_path_query_array(s.snapshot, '$.trips[*].customer_email')::text)::jsonb) ?| $6::text[] ORDER BY 1 LIMIT $7

-- select invoices c79d149446 (ports)
SELECT coalesce(sum(total_minor - credited_minor - paid_minor), 0)::bigint AS minor FROM invoices WHERE business_id = $1 AND fee_of_invoice_id = $2 AND status IN ('unpaid', 'partial')

-- select invoices da0e0f9697 (ports)
SELECT currency, subtotal_minor, tax_minor, lines, taxes FROM ( SELECT 'invoice-' || invoice_id AS document, invoice_id, customer_id, currency, issued_on AS day, lines, NULL::jsonb AS taxes, subtotal_minor, tax_minor, total_minor FROM invoices WHERE business_id = $1 AND deleted_at IS NULL AND status IN ('unpaid', 'partial', 'paid') AND issued_on >= ($2::timestamptz AT TIME ZONE $3)::date AND issued_on < ($4::timestamptz AT TIME ZONE $5)::date UNION ALL SELECT 'note-' || n.credit_note_id, n.invoice_id, i.customer_id, n.currency, (n.created_at::timestamptz AT TIME ZONE $6)::date, n.lines, n.taxes, n.subtotal_minor, n.tax_minor, n.total_minor FROM credit_notes n JOIN invoices i ON i.business_id = $7 AND i.invoice_id = n.invoice_id AND i.deleted_at IS NULL AND i.status <> 'void' WHERE n.business_id = $8 AND n.created_at >= $9 AND n.created_at < $10) d

-- select invoices e00947b723 (ports)
SELECT business_id FROM ( SELECT business_id, number, 'INV-' AS prefix, row_number() OVER (PARTITION BY business_id ORDER BY length(number), number) AS nth FROM invoices WHERE number IS NOT NULL UNION ALL SELECT business_id, number, 'CN-', row_number() OVER (PARTITION BY business_id ORDER BY length(number), number) FROM credit_notes ) numbered WHERE number <> prefix || lpad(nth::text, greatest(6, length(nth::text)), '0') UNION SELECT business_id FROM ( SELECT business_id, 1 AS invoices, 0 AS notes FROM invoices WHERE number IS NOT NULL UNION ALL SELECT business_id, 0, 1 FROM credit_notes UNION ALL SELECT business_id, -last_number, -last_credit_note FROM invoice_numbers ) counted GROUP BY business_id HAVING sum(invoices) <> 0 OR sum(notes) <> 0 ORDER BY business_id

-- select invoices f773ac583a (ports)
SELECT count(*)::int8 AS count FROM invoices WHERE business_id = $1 AND customer_id = ANY ($2::bigint[])

-- select invoices fbafdd3c15 (ports)
SELECT i.invoice_id, i.due_date FROM invoices i WHERE i.business_id = $1 AND i.status IN ('unpaid', 'partial') AND i.deleted_at IS NULL AND i.sent_at IS NOT NULL AND i.due_date <= $2 AND i.total_minor - i.credited_minor > i.paid_minor AND (i.due_date, i.invoice_id) > ($3::date, $4) AND i.reminder_level = $5 AND i.fee_of_invoice_id IS NULL AND (i.last_reminder_at IS NULL OR i.last_reminder_at < $6) AND (i.customer_id IS NULL OR EXISTS ( SELECT FROM customers c WHERE c.business_id = $7 AND c.customer_id = i.customer_id AND c.email IS NOT NULL)) ORDER BY i.due_date, i.invoice_id LIMIT $8

-- update invoices 370dee24c5 (ports, requests)
UPDATE invoices SET "customer_id" = $1, "status" = $2, "lines" = $3, "subtotal_minor" = $4, "tax_minor" = $5, "total_minor" = $6, "paid_minor" = $7, "credited_minor" = $8, "excess_minor" = $9, "issued_on" = $10, "due_date" = $11, "service_from" = $12, "service_to" = $13, "buyer_reference" = $14, "notes" = $15, "untaxed_as" = $16, "untaxed_reason" = $17, "corrects_invoice_id" = $18, "corrected_by_invoice_id" = $19, "fee_of_invoice_id" = $20, "reminder_level" = $21, "last_reminder_at" = $22, "reminder_fees_minor" = $23, "sent_at" = $24, "email_status" = $25, "email_failed_at" = $26, "viewed_at" = $27, "sealed_at" = $28, "voided_at" = $29, "updated_at" = $30, "deleted_at" = $31 WHERE business_id = $32 AND invoice_id = $33

-- update invoices 805800015a (ports)
UPDATE invoices SET refund_references = refund_references || jsonb_build_object($1::text, $2::text) WHERE business_id = $3 AND invoice_id = $4

-- update invoices 85efba8c17 (ports)
UPDATE invoices SET number = $1, shown_number = $2, created_at = $3 WHERE business_id = $4 AND invoice_id = $5

-- update invoices b03050f919 (ports)
UPDATE invoices SET "email_status" = $1, "email_failed_at" = $2 WHERE business_id = $3 AND number = $4

-- update invoices f67a27580c (ports)
UPDATE invoices SET spent_attempts = spent_attempts || jsonb_build_object($1::text, $2::int) WHERE business_id = $3 AND invoice_id = $4 AND coalesce((spent_attempts ->> $5::text)::int, 0) <= $6::int
