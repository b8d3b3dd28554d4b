/**
 * Credit of customers, remittances and corrections; lists of trips that are on an invoice, or on none. The domain decides which
 * kinds of entries the ledger has.
 */
export const remittances = `
CREATE INDEX trips_uninvoiced ON trips (business_id, status, trip_date, trip_id)
  WHERE invoice_id IS NULL AND deleted_at IS NULL;
CREATE INDEX trips_invoiced ON trips (business_id, status, trip_date, trip_id)
  WHERE invoice_id IS NOT NULL AND deleted_at IS NULL;

ALTER TABLE payments DROP CONSTRAINT payments_kind_check;
CREATE INDEX payments_of_credit ON payments (business_id, refund_of) WHERE kind IN ('from_credit', 'credit_returned');
CREATE INDEX invoices_with_excess ON invoices (business_id, customer_id, invoice_id) WHERE excess_minor > 0;

CREATE TABLE remittances (
  business_id   bigint NOT NULL REFERENCES businesses,
  remittance_id bigint GENERATED ALWAYS AS IDENTITY,
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  currency      text NOT NULL,
  method        text NOT NULL,
  received_at   timestamptz NOT NULL,
  reference     text,
  created_at    timestamptz NOT NULL,
  PRIMARY KEY (business_id, remittance_id)
);
COMMENT ON TABLE remittances IS 'Money that was received at once and pays one or several invoices. Rows are only ever added.';

CREATE TABLE remittance_payments (
  business_id   bigint NOT NULL,
  remittance_id bigint NOT NULL,
  payment_id    bigint NOT NULL,
  PRIMARY KEY (business_id, remittance_id, payment_id),
  FOREIGN KEY (business_id, remittance_id) REFERENCES remittances (business_id, remittance_id),
  FOREIGN KEY (business_id, payment_id) REFERENCES payments (business_id, payment_id)
);
COMMENT ON TABLE remittance_payments IS 'The entries of the ledger that each remittance made.';
`
