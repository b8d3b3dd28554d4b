/** Quotes, products, bookings, and the payment statuses by which bookings are listed. */
export const sales = `
CREATE TABLE quotes (
  business_id      bigint NOT NULL REFERENCES businesses,
  quote_id         bigint GENERATED ALWAYS AS IDENTITY,
  reference        text NOT NULL,
  status           text NOT NULL CHECK (status IN ('draft', 'sent', 'accepted', 'converted', 'rejected', 'expired')),
  version          integer NOT NULL CHECK (version > 0),
  customer_id      bigint,
  customer_name    text,
  customer_email   text,
  customer_phone   text,
  currency         text NOT NULL,
  valid_until      timestamptz,
  items            jsonb NOT NULL CHECK (jsonb_typeof(items) = 'array'),
  notes            text,
  sent_at          timestamptz,
  accepted_at      timestamptz,
  accepted_by      text,
  accepted_address text,
  rejected_at      timestamptz,
  reject_reason    text,
  converted_at     timestamptz CHECK (converted_at IS NULL OR status = 'converted'),
  token_hash       text CHECK (token_hash IS NULL OR status <> 'draft'),
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  deleted_at       timestamptz,
  PRIMARY KEY (business_id, quote_id),
  UNIQUE (business_id, reference),
  FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id)
);
COMMENT ON COLUMN quotes.token_hash IS 'SHA-256 of the token of the customer''s link; null if there is no link.';
CREATE INDEX quotes_by_creation ON quotes (business_id, created_at, quote_id) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_status ON quotes (business_id, status, created_at, quote_id) WHERE deleted_at IS NULL;
CREATE INDEX quotes_by_customer ON quotes (business_id, customer_id, created_at, quote_id) WHERE customer_id IS NOT NULL;
CREATE INDEX quotes_by_token ON quotes (business_id, token_hash) WHERE token_hash IS NOT NULL;
-- The last condition keeps this index, which has the quotes of all businesses, out of the plans for the open quotes of one.
CREATE INDEX quotes_to_expire ON quotes (valid_until)
  WHERE status IN ('draft', 'sent') AND deleted_at IS NULL AND valid_until IS NOT NULL;

CREATE TABLE quote_trips (
  business_id bigint NOT NULL,
  quote_id    bigint NOT NULL,
  trip_id     bigint NOT NULL,
  PRIMARY KEY (business_id, quote_id, trip_id),
  FOREIGN KEY (business_id, quote_id) REFERENCES quotes (business_id, quote_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id)
);
COMMENT ON TABLE quote_trips IS 'The trips that a quote was converted to.';

CREATE TABLE products (
  business_id      bigint NOT NULL REFERENCES businesses,
  product_id       bigint GENERATED ALWAYS AS IDENTITY,
  name             text NOT NULL,
  description      text,
  kind             text NOT NULL CHECK (kind IN ('transfer', 'tour', 'hourly', 'other')),
  price_minor      bigint NOT NULL CHECK (price_minor >= 0),
  currency         text NOT NULL,
  duration_minutes integer NOT NULL CHECK (duration_minutes > 0),
  capacity         integer CHECK (capacity > 0),
  pickup_address   text,
  dropoff_address  text,
  active           boolean NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  deleted_at       timestamptz,
  PRIMARY KEY (business_id, product_id)
);
CREATE INDEX products_by_name ON products (business_id, name, product_id) WHERE deleted_at IS NULL;
CREATE INDEX products_by_active ON products (business_id, active, name, product_id) WHERE deleted_at IS NULL;

CREATE TABLE product_loads (
  business_id bigint NOT NULL,
  product_id  bigint NOT NULL,
  at          timestamptz NOT NULL,
  taken       integer NOT NULL CHECK (taken >= 0),
  capacity    integer,
  PRIMARY KEY (business_id, product_id, at),
  FOREIGN KEY (business_id, product_id) REFERENCES products (business_id, product_id),
  CONSTRAINT product_loads_capacity CHECK (taken <= capacity)
);
COMMENT ON TABLE product_loads IS
  'How many places of a product are taken, from each time up to the next one. The check is what keeps it from being oversold.';

CREATE TABLE bookings (
  business_id        bigint NOT NULL REFERENCES businesses,
  booking_id         bigint GENERATED ALWAYS AS IDENTITY,
  reference          text NOT NULL,
  status             text NOT NULL CHECK (status IN ('pending', 'confirmed', 'completed', 'cancelled', 'expired')),
  product_id         bigint NOT NULL,
  starts_at          timestamptz NOT NULL,
  ends_at            timestamptz NOT NULL CHECK (ends_at > starts_at),
  participants_count integer NOT NULL CHECK (participants_count > 0),
  customer_id        bigint,
  customer_name      text,
  customer_email     text,
  customer_phone     text,
  pickup_address     text,
  dropoff_address    text,
  notes              text,
  total_minor        bigint NOT NULL CHECK (total_minor >= 0),
  participant_minor  bigint CHECK (participant_minor >= 0),
  currency           text NOT NULL,
  trip_id            bigint,
  invoice_id         bigint,
  expires_at         timestamptz,
  confirmed_at       timestamptz,
  cancelled_at       timestamptz,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  deleted_at         timestamptz,
  PRIMARY KEY (business_id, booking_id),
  UNIQUE (business_id, reference),
  FOREIGN KEY (business_id, product_id) REFERENCES products (business_id, product_id),
  FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON COLUMN bookings.invoice_id IS 'The last invoice that was raised for the booking, not for its trip; it may be void.';
CREATE INDEX bookings_by_start ON bookings (business_id, starts_at, booking_id) WHERE deleted_at IS NULL;
CREATE INDEX bookings_by_status ON bookings (business_id, status, starts_at, booking_id) WHERE deleted_at IS NULL;
CREATE INDEX bookings_by_product ON bookings (business_id, product_id, starts_at, booking_id);
CREATE INDEX bookings_by_customer ON bookings (business_id, customer_id, starts_at, booking_id) WHERE customer_id IS NOT NULL;
CREATE INDEX bookings_by_trip ON bookings (business_id, trip_id) WHERE trip_id IS NOT NULL;
-- The last condition is there for the same reason as that of quotes_to_expire.
CREATE INDEX bookings_to_expire ON bookings (expires_at)
  WHERE status = 'pending' AND deleted_at IS NULL AND expires_at IS NOT NULL;

CREATE TABLE booking_payments (
  business_id    bigint NOT NULL,
  booking_id     bigint NOT NULL,
  invoice_id     bigint,
  payment_status text NOT NULL CHECK (payment_status IN ('unpaid', 'partial', 'paid')),
  status         text NOT NULL,
  starts_at      timestamptz NOT NULL,
  product_id     bigint NOT NULL,
  customer_id    bigint,
  PRIMARY KEY (business_id, booking_id),
  FOREIGN KEY (business_id, booking_id) REFERENCES bookings (business_id, booking_id) ON DELETE CASCADE,
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id)
);
COMMENT ON TABLE booking_payments IS
  'The invoice that each booking is paid with, its payment status, and what else filters a list by that status. A row of its own, because a payment locks the invoice first, and a booking is locked before its invoice. A deleted booking has none.';
COMMENT ON COLUMN booking_payments.invoice_id IS 'The invoice in force: null once it is void or credited in full.';
CREATE INDEX booking_payments_by_status ON booking_payments (business_id, payment_status, starts_at, booking_id);
CREATE INDEX booking_payments_by_both ON booking_payments (business_id, payment_status, status, starts_at, booking_id);
CREATE INDEX booking_payments_by_product ON booking_payments (business_id, product_id, payment_status, starts_at, booking_id);
CREATE INDEX booking_payments_by_customer ON booking_payments (business_id, customer_id, payment_status, starts_at, booking_id)
  WHERE customer_id IS NOT NULL;
CREATE INDEX booking_payments_by_invoice ON booking_payments (business_id, invoice_id) WHERE invoice_id IS NOT NULL;
`
