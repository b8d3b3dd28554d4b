/**
 * The ground: plans, businesses, people and their credentials, the first fleet and trip tables, and the durable
 * queues for webhooks and mail.
 *
 * Tables of a business lead with `business_id`, in their keys and in every foreign key between them: no row can
 * point across tenants, and the schema can be sharded by that column as it stands.
 */
export const foundation = `
CREATE TABLE plans (
  plan_id         integer PRIMARY KEY,
  code            text NOT NULL UNIQUE,
  name            text NOT NULL,
  cars            integer CHECK (cars >= 0),
  drivers         integer CHECK (drivers >= 0),
  invoices        integer CHECK (invoices >= 0),
  seat_minor      bigint CHECK (seat_minor >= 0),
  currency        text NOT NULL,
  active          boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE plans IS 'Allowances by plan; null means without limit, a null seat_minor that no seats are sold.';

INSERT INTO plans (plan_id, code, name, cars, drivers, invoices, seat_minor, currency) VALUES
  (1, 'free',  'Free',  2,    2,  10,   NULL, 'USD'),
  (2, 'pro',   'Pro',   20,   10, 500,  1500, 'USD'),
  (3, 'fleet', 'Fleet', NULL, 50, NULL, 1000, 'USD');

CREATE TABLE businesses (
  business_id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  business_name        text NOT NULL,
  business_email       text NOT NULL,
  vendor_slug          text NOT NULL UNIQUE,
  status               text NOT NULL DEFAULT 'A' CHECK (status IN ('A', 'D')),
  subscription_plan_id integer NOT NULL REFERENCES plans,
  subscription_status  text NOT NULL DEFAULT 'active',
  email_credits        integer NOT NULL DEFAULT 0,
  currency             text NOT NULL DEFAULT 'USD',
  timezone             text NOT NULL DEFAULT 'UTC',
  website_url          text,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL
);

CREATE TABLE users (
  user_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email             text NOT NULL UNIQUE,
  name              text NOT NULL,
  mobile_phone      text,
  account_type      text NOT NULL CHECK (account_type IN ('S', 'A', 'D')),
  password_hash     text NOT NULL,
  email_verified_at timestamptz,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);

CREATE TABLE business_members (
  business_id bigint NOT NULL REFERENCES businesses,
  user_id     bigint NOT NULL REFERENCES users,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, user_id)
);
CREATE INDEX business_members_by_user ON business_members (user_id, business_id);

CREATE TABLE verification_codes (
  code_hash  text PRIMARY KEY,
  user_id    bigint NOT NULL REFERENCES users,
  purpose    text NOT NULL CHECK (purpose IN ('verify_email')),
  expires_at timestamptz NOT NULL,
  used_at    timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX verification_codes_by_user ON verification_codes (user_id);

CREATE TABLE session_families (
  session_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id     bigint NOT NULL REFERENCES users,
  device_name text,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  revoked_at  timestamptz
);
CREATE INDEX session_families_by_user ON session_families (user_id) WHERE revoked_at IS NULL;
COMMENT ON TABLE session_families IS 'One sign-in and all refresh tokens that descend from it; revoked as one.';

CREATE TABLE refresh_tokens (
  token_hash text PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES session_families,
  issued_at  timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  rotated_at timestamptz
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);

CREATE TABLE api_keys (
  business_id  bigint NOT NULL REFERENCES businesses,
  key_hash     text NOT NULL UNIQUE,
  masked_key   text NOT NULL,
  created_by   bigint NOT NULL REFERENCES users (user_id),
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (business_id, key_hash)
);

CREATE TABLE cars (
  business_id   bigint NOT NULL REFERENCES businesses,
  car_id        bigint GENERATED ALWAYS AS IDENTITY,
  name          text NOT NULL,
  plate_number  text,
  make          text,
  model         text,
  year          integer,
  color         text,
  vehicle_class text,
  seats         integer,
  luggage       integer,
  photo_url     text,
  active        boolean NOT NULL DEFAULT true,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  PRIMARY KEY (business_id, car_id)
);

CREATE TABLE trips (
  business_id          bigint NOT NULL REFERENCES businesses,
  trip_id              bigint GENERATED ALWAYS AS IDENTITY,
  reference            text NOT NULL,
  status               text NOT NULL CHECK (status IN ('pending', 'confirmed', 'in_progress', 'completed', 'cancelled')),
  payment_status       text NOT NULL CHECK (payment_status IN ('unpaid', 'partial', 'paid')),
  trip_type            text NOT NULL,
  trip_date            timestamptz NOT NULL,
  pickup_address       text NOT NULL,
  pickup_postal_code   text,
  pickup_lat           double precision CHECK (pickup_lat BETWEEN -90 AND 90),
  pickup_lng           double precision CHECK (pickup_lng BETWEEN -180 AND 180),
  dropoff_address      text NOT NULL,
  dropoff_postal_code  text,
  dropoff_lat          double precision CHECK (dropoff_lat BETWEEN -90 AND 90),
  dropoff_lng          double precision CHECK (dropoff_lng BETWEEN -180 AND 180),
  customer_name        text NOT NULL,
  customer_email       text,
  customer_phone       text,
  car_id               bigint,
  total_minor          bigint,
  currency             text NOT NULL,
  flight_number        text,
  terminal             text,
  participants_count   integer CHECK (participants_count > 0),
  notes                text,
  special_requirements text,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (business_id, trip_id),
  UNIQUE (business_id, reference),
  FOREIGN KEY (business_id, car_id) REFERENCES cars (business_id, car_id)
);
CREATE INDEX trips_by_date ON trips (business_id, trip_date, trip_id);
CREATE INDEX trips_by_status ON trips (business_id, status, trip_date, trip_id);
CREATE INDEX trips_by_payment_status ON trips (business_id, payment_status, trip_date, trip_id);

CREATE TABLE webhook_endpoints (
  business_id   bigint NOT NULL REFERENCES businesses,
  endpoint_id   bigint GENERATED ALWAYS AS IDENTITY,
  url           text NOT NULL,
  events        text[] NOT NULL,
  status        text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  sealed_secret text NOT NULL,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  PRIMARY KEY (business_id, endpoint_id)
);

CREATE TABLE events (
  business_id bigint NOT NULL REFERENCES businesses,
  event_id    text NOT NULL,
  event_type  text NOT NULL,
  body        text NOT NULL,
  position    bigint GENERATED ALWAYS AS IDENTITY,
  written_by  xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (business_id, event_id)
);
CREATE INDEX events_in_order ON events (business_id, written_by, position);
COMMENT ON COLUMN events.written_by IS 'With pg_snapshot_xmin, tells what no running transaction can still slip in before.';

CREATE TABLE webhook_deliveries (
  business_id     bigint NOT NULL,
  delivery_id     bigint GENERATED ALWAYS AS IDENTITY,
  endpoint_id     bigint NOT NULL,
  event_id        text NOT NULL,
  status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempt         integer NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 6),
  next_attempt_at timestamptz DEFAULT clock_timestamp() CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  claim_id        uuid CHECK (claim_id IS NULL OR status = 'pending'),
  last_error      text,
  response_status integer,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (business_id, delivery_id),
  FOREIGN KEY (business_id, endpoint_id) REFERENCES webhook_endpoints (business_id, endpoint_id) ON DELETE CASCADE,
  FOREIGN KEY (business_id, event_id) REFERENCES events (business_id, event_id)
);
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'When due; while claimed, when the claim lapses.';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status = 'pending' AND claim_id IS NULL;
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (status, next_attempt_at) WHERE claim_id IS NOT NULL;
COMMENT ON INDEX webhook_deliveries_claimed IS 'The status leads so that no plan made on an empty table prefers to read all of it.';
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (business_id, endpoint_id, delivery_id DESC);

CREATE TABLE webhook_attempts (
  business_id     bigint NOT NULL,
  delivery_id     bigint NOT NULL,
  attempt         integer NOT NULL,
  started_at      timestamptz NOT NULL,
  duration_ms     integer NOT NULL,
  response_status integer,
  error           text,
  PRIMARY KEY (business_id, delivery_id, attempt),
  FOREIGN KEY (business_id, delivery_id) REFERENCES webhook_deliveries (business_id, delivery_id) ON DELETE CASCADE
);

CREATE TABLE mail_outbox (
  mail_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sealed_letter   text NOT NULL,
  attempt         integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);
COMMENT ON TABLE mail_outbox IS 'Letters to be sent; a row goes once its letter has been handed to the mail server.';

CREATE TABLE audit_log (
  audit_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  subject     text NOT NULL,
  business_id bigint REFERENCES businesses,
  before      jsonb,
  after       jsonb,
  reason      text
);
CREATE INDEX audit_log_by_subject ON audit_log (subject, audit_id);
CREATE INDEX audit_log_by_business ON audit_log (business_id, audit_id);
`
