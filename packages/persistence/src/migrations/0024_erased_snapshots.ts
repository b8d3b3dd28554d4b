/** The snapshots of invoices that name an erased trip or the email of an erased person are found by an index. */
export const erasedSnapshots = `
CREATE INDEX invoice_snapshots_by_trip ON invoice_snapshots USING gin (
  jsonb_path_query_array(snapshot, '$.trips[*].trip_id'),
  (lower(jsonb_path_query_array(snapshot, '$.trips[*].customer_email')::text)::jsonb));
COMMENT ON INDEX invoice_snapshots_by_trip IS 'An erasure finds the invoices of trips and of an email. It is written when an invoice is sealed or erased.';

COMMENT ON TABLE invoice_snapshots IS
  'The state in which each sealed invoice was sealed. Only an erasure changes it: it removes emails and phone numbers of customers.';
`
