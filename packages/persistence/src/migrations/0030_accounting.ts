/** What an adviser needs: days of issue and of service, the accounts of exports, and terms of customers. */
export const accounting = `
ALTER TABLE invoices
  ADD COLUMN issued_on       date NOT NULL DEFAULT current_date,
  ADD COLUMN service_from    date,
  ADD COLUMN service_to      date,
  ADD COLUMN buyer_reference text;
COMMENT ON COLUMN invoices.issued_on IS 'The day of issue on the clock of the business.';
UPDATE invoices i SET issued_on = (i.created_at AT TIME ZONE b.timezone)::date
FROM businesses b WHERE b.business_id = i.business_id;
CREATE INDEX invoices_by_issue ON invoices (business_id, issued_on, invoice_id);
CREATE INDEX invoices_open_by_due_day ON invoices (business_id, due_date, invoice_id)
  WHERE status IN ('unpaid', 'partial') AND deleted_at IS NULL AND due_date IS NOT NULL;
CREATE INDEX invoices_by_voiding ON invoices (business_id, voided_at, invoice_id) WHERE voided_at IS NOT NULL;
CREATE INDEX credit_notes_by_day ON credit_notes (business_id, created_at, credit_note_id);
CREATE INDEX payments_by_day ON payments (business_id, received_at, payment_id);

ALTER TABLE customers
  ADD COLUMN payment_terms_days integer,
  ADD COLUMN language           text,
  ADD COLUMN buyer_reference    text,
  ADD COLUMN account_number     text;

ALTER TABLE businesses ADD COLUMN accounting jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN businesses.accounting IS 'The accounts and the numbers with which the exports for bookkeeping programs are written.';
`
