-- declare invoice_snapshots 3f4b2b7c81 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "invoice_id", "snapshot" FROM invoice_snapshots WHERE business_id = 1 ORDER BY invoice_id ) t

-- insert invoice_snapshots 1875d4dd9d (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_snapshots AS t ("business_id", "invoice_id", "snapshot") OVERRIDING SYSTEM VALUE SELECT "business_id", "invoice_id", "snapshot" FROM jsonb_populate_recordset(NULL::invoice_snapshots, $1::jsonb) ON CONFLICT ("business_id", "invoice_id") DO UPDATE SET "snapshot" = EXCLUDED."snapshot" WHERE (t."snapshot") IS DISTINCT FROM (EXCLUDED."snapshot")

-- insert invoice_snapshots 8ef73cea88 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_snapshots ("business_id","invoice_id","snapshot") VALUES ($1,$2,$3)

-- select invoice_snapshots 441d1af41f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT snapshot, kept_pdf FROM invoice_snapshots WHERE business_id = $1 AND invoice_id = $2

-- select invoice_snapshots 5e9942159b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT i.invoice_id, i.business_id, coalesce(i.shown_number, i.number, '') AS number, i.customer_id, i.status, i.currency, i.lines, i.subtotal_minor, i.tax_minor, i.total_minor, i.paid_minor, i.credited_minor, i.excess_minor, i.issued_on, i.due_date, i.service_from, i.service_to, i.buyer_reference, i.notes, '{}'::bigint[] AS trip_ids, i.untaxed_as, i.untaxed_reason, i.corrects_invoice_id, i.corrected_by_invoice_id, i.fee_of_invoice_id, i.reminder_level, i.last_reminder_at, i.reminder_fees_minor, i.payment_hash, i.sent_at, i.email_status, i.email_failed_at, i.viewed_at, i.sealed_at, i.voided_at, i.created_at, i.updated_at, i.deleted_at IS NOT NULL AS is_deleted, ( SELECT s.snapshot -> 'invoice' -> 'lines' FROM invoice_snapshots s WHERE s.business_id = i.business_id AND s.invoice_id = i.invoice_id) AS sealed_lines FROM invoices i WHERE (i.business_id, i.invoice_id) > ($1, $2) ORDER BY i.business_id, i.invoice_id LIMIT $3

-- select invoice_snapshots 6f0dc0d96c (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM invoice_snapshots WHERE business_id = 5

-- select invoice_snapshots f74c0129d3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "invoice_id", "snapshot" FROM invoice_snapshots WHERE business_id = 1) t

-- update invoice_snapshots 563148c4b8 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE invoice_snapshots s SET snapshot = jsonb_set( CASE WHEN i.customer_id = ANY ($1::bigint[]) AND s.snapshot -> 'buyer' <> 'null' THEN jsonb_set(s.snapshot, '{buyer}', s.snapshot -> 'buyer' || '{"email": null, "phone": null}') ELSE s.snapshot END, '{trips}', coalesce(( SELECT jsonb_agg(CASE WHEN (coalesce(i.customer_id = ANY ($2::bigint[]), false) OR lower(t ->> 'customer_email') = ANY ($3::text[])) THEN t || '{"customer_email": null}' ELSE t END ORDER BY nth) FROM jsonb_array_elements(s.snapshot -> 'trips') WITH ORDINALITY AS trips (t, nth)), '[]')) FROM invoices i WHERE i.business_id = $4 AND i.invoice_id = ANY ($5::bigint[]) AND s.business_id = $6 AND s.invoice_id = i.invoice_id

-- update invoice_snapshots 71524021e4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE invoice_snapshots s SET snapshot = jsonb_set(s.snapshot, '{trips}', coalesce(( SELECT jsonb_agg(CASE WHEN (t ->> 'trip_id')::bigint = ANY ($1::bigint[]) THEN t || '{"customer_email": null}' ELSE t END ORDER BY nth) FROM jsonb_array_elements(s.snapshot -> 'trips') WITH ORDINALITY AS trips (t, nth)), '[]')) WHERE s.business_id = $2 AND s.invoice_id = ANY (ARRAY( SELECT s.invoice_id FROM unnest($3::bigint[]) AS trip_id JOIN invoice_snapshots s ON jsonb_path_query_array(s.snapshot, '$.trips[*].trip_id') @> jsonb_build_array(trip_id) WHERE s.business_id = $4))

-- update invoice_snapshots d6e5b00b8a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE invoice_snapshots SET kept_pdf = $1::jsonb WHERE business_id = $2 AND invoice_id = $3 AND kept_pdf ->> 'file' IS NOT DISTINCT FROM $4::text RETURNING invoice_id
