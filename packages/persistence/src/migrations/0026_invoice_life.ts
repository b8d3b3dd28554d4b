/**
 * Drafts, which have no number; corrections; and the timelines of invoices, which for earlier invoices have what their columns and
 * their ledger say.
 */
export const invoiceLife = `
ALTER TABLE invoices ALTER COLUMN number DROP NOT NULL;
COMMENT ON COLUMN invoices.number IS
  'NULL in a draft. In the order of bytes, so that an index has the numbers of one length in the order of counting.';
ALTER TABLE invoices DROP CONSTRAINT invoices_status_check;
ALTER TABLE invoices ADD COLUMN corrects_invoice_id bigint;
ALTER TABLE invoices ADD COLUMN corrected_by_invoice_id bigint;

CREATE TABLE invoice_changes (
  business_id bigint NOT NULL,
  invoice_id  bigint NOT NULL,
  change_id   bigint GENERATED ALWAYS AS IDENTITY,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  change      text NOT NULL,
  fields      jsonb NOT NULL DEFAULT '[]',
  before      jsonb,
  after       jsonb,
  PRIMARY KEY (business_id, invoice_id, change_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE invoice_changes IS
  'The timeline of each invoice: one row per change, written in the transaction of the change. It names no person.';

INSERT INTO invoice_changes (business_id, invoice_id, at, actor, change, after)
SELECT business_id, invoice_id, at, 'system', change, after FROM (
  SELECT business_id, invoice_id, 0 AS place, created_at AS at, 'created' AS change, NULL::jsonb AS after FROM invoices
  UNION ALL
  SELECT business_id, invoice_id, 1, sealed_at,
    CASE WHEN sealed_at IS DISTINCT FROM least(sent_at, viewed_at) AND NOT EXISTS (
      SELECT FROM payments p WHERE p.business_id = i.business_id AND p.invoice_id = i.invoice_id)
    THEN 'issued' ELSE 'sealed' END, jsonb_build_object('number', number)
  FROM invoices i WHERE sealed_at IS NOT NULL
  UNION ALL
  SELECT business_id, invoice_id, 2, sent_at, 'emailed', NULL FROM invoices WHERE sent_at IS NOT NULL
  UNION ALL
  SELECT business_id, invoice_id, 3, viewed_at, 'viewed', NULL FROM invoices WHERE viewed_at IS NOT NULL
  UNION ALL
  SELECT business_id, invoice_id, 4, created_at,
    CASE kind WHEN 'payment' THEN 'paid' WHEN 'excess' THEN 'paid' WHEN 'refund' THEN 'refunded'
      WHEN 'excess_refund' THEN 'refunded' ELSE 'refund_failed' END,
    jsonb_build_object('payment_id', payment_id, 'kind', kind, 'currency', currency, 'method', method)
  FROM payments WHERE kind <> 'credit'
  UNION ALL
  SELECT business_id, invoice_id, 5, created_at, 'credited', jsonb_build_object('credit_note_id', credit_note_id)
  FROM credit_notes
  UNION ALL
  SELECT business_id, invoice_id, 6, sent_at, 'reminded', jsonb_build_object('days', days) FROM invoice_reminders
  UNION ALL
  SELECT business_id, invoice_id, 7, voided_at, 'voided', NULL FROM invoices WHERE voided_at IS NOT NULL
) earlier ORDER BY business_id, invoice_id, at, place;
`
