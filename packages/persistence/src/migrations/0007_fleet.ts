/**
 * Cars and drivers. Rows that a history may refer to are deleted softly (`deleted_at`); every list and every unique
 * index leaves such rows out.
 */
export const fleet = `
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
  deleted_at    timestamptz,
  PRIMARY KEY (business_id, car_id)
);
CREATE INDEX cars_by_class ON cars (business_id, vehicle_class) WHERE vehicle_class IS NOT NULL;
CREATE INDEX cars_by_name ON cars (business_id, name, car_id) WHERE deleted_at IS NULL;
CREATE INDEX cars_by_active ON cars (business_id, active, name, car_id) WHERE deleted_at IS NULL;

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
  former_user_id     bigint REFERENCES users,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  deleted_at         timestamptz,
  PRIMARY KEY (business_id, driver_id),
  FOREIGN KEY (business_id, default_car_id) REFERENCES cars (business_id, car_id)
);
COMMENT ON COLUMN drivers.former_user_id IS 'The account of a deleted driver, which is erased with the driver.';
COMMENT ON COLUMN drivers.user_id IS 'The account that signs in as this driver: a driver''s own, or an administrator''s.';
CREATE INDEX drivers_by_name ON drivers (business_id, name, driver_id) WHERE deleted_at IS NULL;
CREATE INDEX drivers_by_active ON drivers (business_id, active, name, driver_id) WHERE deleted_at IS NULL;
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
COMMENT ON TABLE driver_seats IS 'Seats that a business bought beyond the drivers of its plan, at the price that it confirmed.';

CREATE TABLE seat_subscriptions (
  business_id  bigint PRIMARY KEY REFERENCES businesses,
  quantity     integer CHECK (quantity >= 0),
  attempt      integer NOT NULL,
  attempted    integer CHECK (attempted >= 0),
  lease        integer NOT NULL,
  leased_until timestamptz,
  due_at       timestamptz NOT NULL
);
CREATE INDEX seat_subscriptions_due ON seat_subscriptions (due_at, business_id);
COMMENT ON TABLE seat_subscriptions IS
  'The changes of the quantity of each business''s subscription item at the payment provider.';
COMMENT ON COLUMN seat_subscriptions.quantity IS 'The quantity that the provider confirmed last.';
COMMENT ON COLUMN seat_subscriptions.attempted IS
  'The quantity of the last change while its result is unknown. It is written before the provider is asked.';

CREATE TABLE driver_absences (
  business_id bigint NOT NULL,
  absence_id  bigint GENERATED ALWAYS AS IDENTITY,
  driver_id   bigint NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('day_off', 'vacation', 'sick', 'off_shift', 'other')),
  starts_at   timestamptz NOT NULL,
  ends_at     timestamptz NOT NULL CHECK (ends_at > starts_at AND ends_at <= starts_at + interval '367 days'),
  note        text,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, absence_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id)
);
CREATE INDEX driver_absences_by_driver ON driver_absences (business_id, driver_id, starts_at, absence_id);
CREATE INDEX driver_absences_long ON driver_absences (business_id, driver_id, starts_at)
  WHERE ends_at - starts_at > interval '1 day';
COMMENT ON TABLE driver_absences IS 'Times at which drivers are away. A repeated absence has a row for each of its days.';

CREATE TABLE driver_invitations (
  business_id bigint NOT NULL,
  code_hash   text NOT NULL,
  driver_id   bigint NOT NULL,
  email       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, code_hash),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id)
);
CREATE INDEX driver_invitations_by_driver ON driver_invitations (business_id, driver_id);
`
