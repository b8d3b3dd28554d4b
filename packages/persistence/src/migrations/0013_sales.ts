/** Tariffs with their versions, fares of trips, drivers' pay, quotes, products and bookings. */
export const sales = `
CREATE TABLE tariffs (
  business_id bigint NOT NULL REFERENCES businesses,
  tariff_id   bigint GENERATED ALWAYS AS IDENTITY,
  version     integer NOT NULL CHECK (version > 0),
  name        text NOT NULL,
  currency    text NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  deleted_at  timestamptz,
  PRIMARY KEY (business_id, tariff_id)
);
CREATE INDEX tariffs_by_id ON tariffs (business_id, tariff_id) WHERE deleted_at IS NULL;

CREATE TABLE tariff_versions (
  business_id bigint NOT NULL,
  tariff_id   bigint NOT NULL,
  version     integer NOT NULL CHECK (version > 0),
  content     jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, tariff_id, version),
  FOREIGN KEY (business_id, tariff_id) REFERENCES tariffs (business_id, tariff_id)
);
COMMENT ON TABLE tariff_versions IS
  'The content of each version of a tariff. Rows are neither changed nor deleted, so that each fare can be computed again.';

CREATE TABLE trip_fares (
  business_id    bigint NOT NULL,
  trip_id        bigint NOT NULL,
  tariff_id      bigint NOT NULL,
  tariff_version integer NOT NULL,
  currency       text NOT NULL,
  quoted         jsonb NOT NULL,
  final          jsonb,
  PRIMARY KEY (business_id, trip_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id),
  FOREIGN KEY (business_id, tariff_id) REFERENCES tariffs (business_id, tariff_id)
);
COMMENT ON TABLE trip_fares IS
  'The fares of the trips that a tariff priced: the quoted one, and the final one once the trip has ended.';

CREATE TABLE driver_pay (
  business_id bigint NOT NULL,
  driver_id   bigint NOT NULL,
  schemes     jsonb NOT NULL CHECK (jsonb_typeof(schemes) = 'array'),
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, driver_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id) ON DELETE CASCADE
);
COMMENT ON TABLE driver_pay IS 'The schemes by which a driver is paid, each from a day on.';

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
COMMENT ON COLUMN bookings.invoice_id IS 'The invoice of a booking without a trip; otherwise the trip has the invoice.';
CREATE INDEX bookings_by_start ON bookings (business_id, starts_at, booking_id) WHERE deleted_at IS NULL;
CREATE INDEX bookings_by_status ON bookings (business_id, status, starts_at, booking_id) WHERE deleted_at IS NULL;
CREATE INDEX bookings_by_product ON bookings (business_id, product_id, starts_at, booking_id);
CREATE INDEX bookings_by_customer ON bookings (business_id, customer_id, starts_at, booking_id) WHERE customer_id IS NOT NULL;
CREATE INDEX bookings_by_trip ON bookings (business_id, trip_id) WHERE trip_id IS NOT NULL;
CREATE INDEX bookings_by_invoice ON bookings (business_id, invoice_id) WHERE invoice_id IS NOT NULL;
-- The last condition is there for the same reason as that of quotes_to_expire.
CREATE INDEX bookings_to_expire ON bookings (expires_at)
  WHERE status = 'pending' AND deleted_at IS NULL AND expires_at IS NOT NULL;
`
