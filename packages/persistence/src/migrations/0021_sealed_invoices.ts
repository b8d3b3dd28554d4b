/**
 * Sealed invoices and their snapshots. Invoices that were sent, viewed or paid are sealed as they are now. Deleted invoices are
 * void, and can be read again.
 */
export const sealedInvoices = `
ALTER TABLE invoices ADD COLUMN sealed_at timestamptz;
COMMENT ON COLUMN invoices.sealed_at IS 'When it was issued, sent, viewed or paid for the first time: it does not change from then on.';

CREATE TABLE invoice_snapshots (
  business_id bigint NOT NULL,
  invoice_id  bigint NOT NULL,
  snapshot    jsonb NOT NULL,
  kept_pdf    jsonb,
  PRIMARY KEY (business_id, invoice_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE invoice_snapshots IS 'The state in which each sealed invoice was sealed.';
COMMENT ON COLUMN invoice_snapshots.kept_pdf IS 'The PDF in the file store; null until it is drawn for the first time.';

UPDATE invoices SET deleted_at = NULL WHERE deleted_at IS NOT NULL;

UPDATE invoices i SET sealed_at = least(i.sent_at, i.viewed_at, (
  SELECT min(p.created_at) FROM payments p WHERE p.business_id = i.business_id AND p.invoice_id = i.invoice_id))
WHERE i.sent_at IS NOT NULL OR i.viewed_at IS NOT NULL OR EXISTS (
  SELECT FROM payments p WHERE p.business_id = i.business_id AND p.invoice_id = i.invoice_id);

INSERT INTO invoice_snapshots (business_id, invoice_id, snapshot)
SELECT i.business_id, i.invoice_id, jsonb_build_object(
  'timezone', b.timezone,
  'seller', jsonb_build_object('business_name', b.business_name, 'business_email', b.business_email, 'phone', b.phone,
    'address', b.address, 'website_url', b.website_url, 'logo_url', b.logo_url, 'country', b.country, 'locale', b.locale,
    'vat_number', b.vat_number, 'tax_number', b.tax_number, 'registration_number', b.registration_number,
    'iban', b.iban, 'bic', b.bic),
  'buyer', (
    SELECT jsonb_build_object('name', c.name, 'email', c.email, 'phone', c.phone, 'company', c.company,
      'address', c.address, 'country', c.country, 'vat_number', c.vat_number) || coalesce(r.party, '{}')
    FROM customers c LEFT JOIN retained_parties r
      ON r.business_id = c.business_id AND r.kind = 'customer' AND r.record_id = c.customer_id
    WHERE c.business_id = i.business_id AND c.customer_id = i.customer_id),
  'trips', coalesce((
    SELECT jsonb_agg(jsonb_build_object('trip_id', t.trip_id, 'trip_date', t.trip_date,
      'pickup_timezone', t.details ->> 'pickup_timezone',
      'customer_name', coalesce(r.party ->> 'customer_name', t.customer_name),
      'customer_email', t.customer_email,
      'po_number', coalesce(r.party ->> 'po_number', t.details ->> 'po_number'),
      'cost_center', coalesce(r.party ->> 'cost_center', t.details ->> 'cost_center')) ORDER BY t.trip_date, t.trip_id)
    FROM trips t LEFT JOIN retained_parties r
      ON r.business_id = t.business_id AND r.kind = 'trip' AND r.record_id = t.trip_id
    WHERE t.business_id = i.business_id AND t.trip_id IN (
      SELECT a.trip_id FROM trips a
      WHERE a.business_id = i.business_id AND a.invoice_id = i.invoice_id AND a.deleted_at IS NULL
      UNION ALL
      SELECT (line ->> 'trip_id')::bigint FROM jsonb_array_elements(i.lines) line)), '[]'),
  'invoice', jsonb_build_object('status', i.status, 'lines', i.lines, 'paid_minor', i.paid_minor,
    'credited_minor', i.credited_minor, 'notes', i.notes))
FROM invoices i JOIN businesses b ON b.business_id = i.business_id
WHERE i.sealed_at IS NOT NULL;
`
