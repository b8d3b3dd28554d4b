/** The platform's coupons, and its invoices to businesses. Both tables are global: super-admins read them as a whole. */
export const administration = `
CREATE TABLE saas_coupons (
  coupon_id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code             text NOT NULL UNIQUE,
  description      text,
  percent_off      integer CHECK (percent_off BETWEEN 1 AND 100),
  amount_off_minor bigint CHECK (amount_off_minor > 0),
  currency         text,
  duration         text NOT NULL CHECK (duration IN ('once', 'repeating', 'forever')),
  duration_months  integer,
  max_redemptions  integer,
  valid_until      text,
  active           boolean NOT NULL DEFAULT true,
  created_at       timestamptz NOT NULL,
  CHECK (num_nonnulls(percent_off, amount_off_minor) = 1),
  CHECK (amount_off_minor IS NULL OR currency IS NOT NULL)
);
COMMENT ON TABLE saas_coupons IS 'Discounts on what businesses pay to the platform.';

CREATE TABLE saas_invoices (
  saas_invoice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number          text NOT NULL UNIQUE,
  business_id     bigint NOT NULL REFERENCES businesses,
  status          text NOT NULL CHECK (status IN ('unpaid', 'partial', 'paid', 'void')),
  currency        text NOT NULL,
  period_start    text,
  period_end      text,
  coupon_id       integer REFERENCES saas_coupons,
  discount_minor  bigint NOT NULL CHECK (discount_minor >= 0),
  tax_minor       bigint NOT NULL CHECK (tax_minor >= 0),
  issued_on       text NOT NULL,
  due_date        text,
  lines           jsonb NOT NULL,
  payments        jsonb NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX saas_invoices_by_business ON saas_invoices (business_id, saas_invoice_id);
CREATE INDEX saas_invoices_by_status ON saas_invoices (status, saas_invoice_id);
CREATE INDEX saas_invoices_by_coupon ON saas_invoices (coupon_id, business_id) WHERE coupon_id IS NOT NULL;
COMMENT ON TABLE saas_invoices IS 'What businesses pay to the platform. Lines and payments are recorded with their invoice.';
`
