-- declare invoice_numbers 20db56e539 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "last_number", "last_credit_note", "numbering", "credit_note_numbering" FROM invoice_numbers WHERE business_id = 1 ) t

-- insert invoice_numbers 04f623d775 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers AS t ("business_id", "last_number", "last_credit_note", "numbering", "credit_note_numbering") OVERRIDING SYSTEM VALUE SELECT "business_id", "last_number", "last_credit_note", "numbering", "credit_note_numbering" FROM jsonb_populate_recordset(NULL::invoice_numbers, $1::jsonb) ON CONFLICT ("business_id") DO UPDATE SET "last_number" = EXCLUDED."last_number", "last_credit_note" = EXCLUDED."last_credit_note", "numbering" = EXCLUDED."numbering", "credit_note_numbering" = EXCLUDED."credit_note_numbering" WHERE (t."last_number", t."last_credit_note", t."numbering", t."credit_note_numbering") IS DISTINCT FROM (EXCLUDED."last_number", EXCLUDED."last_credit_note", EXCLUDED."numbering", EXCLUDED."credit_note_numbering")

-- insert invoice_numbers 4dcf642bf2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers (business_id, last_number, credit_note_numbering) VALUES ($1, 0, $2) ON CONFLICT (business_id) DO UPDATE SET credit_note_numbering = excluded.credit_note_numbering

-- insert invoice_numbers 55875a7380 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers AS n (business_id, last_number) VALUES ($1, 0) ON CONFLICT (business_id) DO UPDATE SET last_number = n.last_number RETURNING last_number AS last, numbering AS numbering

-- insert invoice_numbers 8beb2d072f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers (business_id, last_number, last_credit_note) VALUES ($1, 1, 0) ON CONFLICT (business_id) DO UPDATE SET last_number = invoice_numbers.last_number + 1 RETURNING last_number AS last, numbering AS numbering

-- insert invoice_numbers a1c4d8684d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers (business_id, last_number, last_credit_note) VALUES ($1, 0, 1) ON CONFLICT (business_id) DO UPDATE SET last_credit_note = invoice_numbers.last_credit_note + 1 RETURNING last_credit_note AS last, credit_note_numbering AS numbering

-- insert invoice_numbers a57f333960 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers (business_id, last_number, numbering) VALUES ($1, 0, $2) ON CONFLICT (business_id) DO UPDATE SET numbering = excluded.numbering

-- insert invoice_numbers e065a38385 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_numbers AS n (business_id, last_number) VALUES ($1, 0) ON CONFLICT (business_id) DO UPDATE SET last_number = n.last_number RETURNING last_credit_note AS last, credit_note_numbering AS numbering

-- select invoice_numbers 068687e80a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT last_number AS last, numbering AS numbering FROM invoice_numbers WHERE business_id = $1

-- select invoice_numbers 54192a4d91 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT last_credit_note AS last, credit_note_numbering AS numbering FROM invoice_numbers WHERE business_id = $1

-- select invoice_numbers ab96d0d1f1 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "last_number", "last_credit_note", "numbering", "credit_note_numbering" FROM invoice_numbers WHERE business_id = 1) t

-- select invoice_numbers f4fbb1e7ed (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM invoice_numbers WHERE business_id = 5

-- update invoice_numbers 0510573dce (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE invoice_numbers SET credit_note_numbering = $1 WHERE business_id = $2

-- update invoice_numbers ce06f4c57c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE invoice_numbers SET numbering = $1 WHERE business_id = $2
