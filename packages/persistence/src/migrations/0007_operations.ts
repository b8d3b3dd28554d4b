/**
 * A day's work: drivers, customers, who drives which trip, where they are, what changed when.
 *
 * Whatever a history may refer to is deleted softly (`deleted_at`); every list and every unique rule leaves such rows
 * out. `trips.driver_status` and `trips.status` are derived from the assignments, in the transaction that changes one.
 */
export const operations = `
ALTER TABLE businesses
  ADD COLUMN phone                          text,
  ADD COLUMN address                        text,
  ADD COLUMN logo_url                       text,
  ADD COLUMN clash_policy                   text NOT NULL DEFAULT 'warn' CHECK (clash_policy IN ('off', 'warn', 'enforce')),
  ADD COLUMN booking_confirmation_required  boolean NOT NULL DEFAULT false;

ALTER TABLE cars ADD COLUMN deleted_at timestamptz;
CREATE INDEX cars_by_name ON cars (business_id, name, car_id) WHERE deleted_at IS NULL;

CREATE TABLE drivers (
  business_id        bigint NOT NULL REFERENCES businesses,
  driver_id          bigint GENERATED ALWAYS AS IDENTITY,
  name               text NOT NULL,
  email              text,
  phone              text,
  license_number     text,
  license_expires_on date,
  default_car_id     bigint,
  photo_url          text,
  active             boolean NOT NULL DEFAULT true,
  user_id            bigint REFERENCES users,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  deleted_at         timestamptz,
  PRIMARY KEY (business_id, driver_id),
  FOREIGN KEY (business_id, default_car_id) REFERENCES cars (business_id, car_id)
);
COMMENT ON COLUMN drivers.user_id IS 'The account that signs in as this driver: a driver''s own, or an administrator''s.';
CREATE INDEX drivers_by_name ON drivers (business_id, name, driver_id) WHERE deleted_at IS NULL;
CREATE INDEX drivers_by_car ON drivers (business_id, default_car_id) WHERE default_car_id IS NOT NULL;
CREATE UNIQUE INDEX drivers_by_user ON drivers (user_id, business_id) WHERE user_id IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE driver_seats (
  business_id bigint NOT NULL,
  seat_id     bigint GENERATED ALWAYS AS IDENTITY,
  driver_id   bigint NOT NULL,
  price_minor bigint NOT NULL CHECK (price_minor >= 0),
  currency    text NOT NULL,
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  PRIMARY KEY (business_id, seat_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id)
);
CREATE INDEX driver_seats_by_driver ON driver_seats (business_id, driver_id);
CREATE INDEX driver_seats_taken ON driver_seats (business_id) WHERE ended_at IS NULL;
COMMENT ON TABLE driver_seats IS 'Seats that a business took beyond its plan''s drivers, at the price they were confirmed at.';

CREATE TABLE driver_invitations (
  business_id bigint NOT NULL,
  code_hash   text NOT NULL UNIQUE,
  driver_id   bigint NOT NULL,
  email       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, code_hash),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id)
);
CREATE INDEX driver_invitations_by_driver ON driver_invitations (business_id, driver_id);

CREATE TABLE customers (
  business_id bigint NOT NULL REFERENCES businesses,
  customer_id bigint GENERATED ALWAYS AS IDENTITY,
  name        text NOT NULL,
  email       text,
  phone       text,
  company     text,
  address     text,
  notes       text,
  search      tsvector NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  deleted_at  timestamptz,
  PRIMARY KEY (business_id, customer_id)
);
COMMENT ON COLUMN customers.search IS 'The words that the customer is found by, each led by the business''s id.';
CREATE INDEX customers_by_search ON customers USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX customers_by_name ON customers (business_id, name, customer_id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX customers_by_email ON customers (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL;

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

ALTER TABLE trips
  ADD COLUMN customer_id       bigint,
  ADD COLUMN invoice_id        bigint,
  ADD COLUMN duration_minutes  integer CHECK (duration_minutes BETWEEN 1 AND 44640),
  ADD COLUMN driver_status     text NOT NULL DEFAULT 'unassigned' CHECK (driver_status IN ('unassigned', 'assigned', 'en_route', 'completed')),
  ADD COLUMN cancel_reason     text CHECK (cancel_reason IN ('customer_request', 'operator', 'no_driver', 'no_show', 'late_cancel', 'duplicate', 'other')),
  ADD COLUMN cancelled_by      text,
  ADD COLUMN cancellation_fee_minor bigint CHECK (cancellation_fee_minor >= 0),
  ADD COLUMN cancelled_at      timestamptz,
  ADD COLUMN completed_at      timestamptz,
  ADD COLUMN deleted_at        timestamptz,
  ADD FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id),
  ADD FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id);
DROP INDEX trips_by_date, trips_by_status, trips_by_payment_status;
CREATE INDEX trips_by_date ON trips (business_id, trip_date, trip_id) WHERE deleted_at IS NULL;
CREATE INDEX trips_by_status ON trips (business_id, status, trip_date, trip_id) WHERE deleted_at IS NULL;
CREATE INDEX trips_by_payment_status ON trips (business_id, payment_status, trip_date, trip_id) WHERE deleted_at IS NULL;
CREATE INDEX trips_by_both ON trips (business_id, status, payment_status, trip_date, trip_id) WHERE deleted_at IS NULL;
COMMENT ON INDEX trips_by_both IS 'One index for each combination of the list''s filters, in the list''s order: totals and pages never sort.';
CREATE INDEX trips_by_customer ON trips (business_id, customer_id, trip_date, trip_id) WHERE customer_id IS NOT NULL;
CREATE INDEX trips_by_car ON trips (business_id, car_id, trip_date) WHERE car_id IS NOT NULL;
CREATE INDEX trips_long_by_car ON trips (business_id, car_id, trip_date) WHERE car_id IS NOT NULL AND duration_minutes > 1440;
CREATE INDEX trips_by_invoice ON trips (business_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX trips_deleted ON trips (business_id, trip_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX trips_of_strangers ON trips (business_id, customer_email) WHERE customer_id IS NULL AND customer_email IS NOT NULL;

CREATE TABLE assignments (
  business_id   bigint NOT NULL,
  assignment_id bigint GENERATED ALWAYS AS IDENTITY,
  trip_id       bigint NOT NULL,
  driver_id     bigint NOT NULL,
  status        text NOT NULL CHECK (status IN ('assigned', 'en_route', 'completed', 'cancelled')),
  trip_date     timestamptz NOT NULL,
  trip_ends_at  timestamptz NOT NULL CHECK (trip_ends_at > trip_date),
  token_hash    text UNIQUE,
  created_at    timestamptz NOT NULL,
  en_route_at   timestamptz,
  completed_at  timestamptz,
  cancelled_at  timestamptz,
  cancelled_by  text,
  PRIMARY KEY (business_id, assignment_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id),
  CHECK (token_hash IS NULL OR status IN ('assigned', 'en_route'))
);
COMMENT ON COLUMN assignments.trip_date IS 'As the trip has it, so that a driver''s jobs and clashes are read from one index.';
COMMENT ON COLUMN assignments.trip_ends_at IS 'The trip''s window ends here: trip_date and its duration.';
COMMENT ON COLUMN assignments.token_hash IS 'SHA-256 of the driver token; gone once the assignment ends.';
CREATE UNIQUE INDEX assignments_standing ON assignments (business_id, trip_id, driver_id) WHERE status <> 'cancelled';
CREATE INDEX assignments_by_trip ON assignments (business_id, trip_id, assignment_id);
CREATE INDEX assignments_by_driver ON assignments (business_id, driver_id, trip_date, assignment_id);
CREATE INDEX assignments_windows ON assignments (business_id, driver_id, trip_date) WHERE status IN ('assigned', 'en_route');
CREATE INDEX assignments_long ON assignments (business_id, driver_id, trip_date)
  WHERE status IN ('assigned', 'en_route') AND trip_ends_at - trip_date > interval '1 day';
CREATE INDEX assignments_en_route ON assignments (business_id, driver_id) WHERE status = 'en_route';

CREATE TABLE assignment_milestones (
  business_id   bigint NOT NULL,
  assignment_id bigint NOT NULL,
  milestone     text NOT NULL CHECK (milestone IN ('arrived_at_pickup', 'passenger_on_board', 'no_show')),
  at            timestamptz NOT NULL,
  lat           double precision CHECK (lat BETWEEN -90 AND 90),
  lng           double precision CHECK (lng BETWEEN -180 AND 180),
  PRIMARY KEY (business_id, assignment_id, milestone),
  FOREIGN KEY (business_id, assignment_id) REFERENCES assignments (business_id, assignment_id)
);

CREATE TABLE trip_changes (
  business_id bigint NOT NULL,
  trip_id     bigint NOT NULL,
  change_id   bigint GENERATED ALWAYS AS IDENTITY,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  change      text NOT NULL,
  driver_id   bigint,
  before      jsonb,
  after       jsonb,
  PRIMARY KEY (business_id, trip_id, change_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id)
);
COMMENT ON TABLE trip_changes IS 'A trip''s timeline: one row a change, written in the change''s own transaction.';
`
