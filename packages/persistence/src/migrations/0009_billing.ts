/** Invoices. */
export const billing = `
CREATE TABLE invoices (
  business_id    bigint NOT NULL REFERENCES businesses,
  invoice_id     bigint GENERATED ALWAYS AS IDENTITY,
  number         text NOT NULL,
  customer_id    bigint,
  status         text NOT NULL DEFAULT 'unpaid' CHECK (status IN ('unpaid', 'partial', 'paid', 'void')),
  currency       text NOT NULL,
  subtotal_minor bigint NOT NULL DEFAULT 0,
  tax_minor      bigint NOT NULL DEFAULT 0,
  total_minor    bigint NOT NULL DEFAULT 0,
  paid_minor     bigint NOT NULL DEFAULT 0,
  due_date       date,
  notes          text,
  sent_at        timestamptz,
  viewed_at      timestamptz,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  PRIMARY KEY (business_id, invoice_id),
  UNIQUE (business_id, number),
  FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id)
);
CREATE INDEX invoices_by_customer ON invoices (business_id, customer_id, invoice_id DESC) WHERE customer_id IS NOT NULL;
`
