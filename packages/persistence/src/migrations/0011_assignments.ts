/** Drivers' assignments to trips with their milestones, and the timelines of trips. */
export const assignments = `
CREATE TABLE assignments (
  business_id   bigint NOT NULL,
  assignment_id bigint GENERATED ALWAYS AS IDENTITY,
  trip_id       bigint NOT NULL,
  driver_id     bigint NOT NULL,
  status        text NOT NULL CHECK (status IN ('assigned', 'en_route', 'completed', 'cancelled')),
  car_id        bigint,
  has_default_car boolean NOT NULL DEFAULT false CHECK (car_id IS NOT NULL OR NOT has_default_car),
  trip_date     timestamptz NOT NULL,
  trip_ends_at  timestamptz NOT NULL CHECK (trip_ends_at > trip_date),
  token_hash    text,
  ended_token_hash text,
  created_at    timestamptz NOT NULL,
  en_route_at   timestamptz,
  completed_at  timestamptz,
  cancelled_at  timestamptz,
  cancelled_by  text,
  PRIMARY KEY (business_id, assignment_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id),
  FOREIGN KEY (business_id, car_id) REFERENCES cars (business_id, car_id),
  CHECK (token_hash IS NULL OR status IN ('assigned', 'en_route')),
  CHECK (ended_token_hash IS NULL OR status IN ('completed', 'cancelled'))
);
COMMENT ON COLUMN assignments.car_id IS 'The car that the driver drives; null if it is the trip''s.';
COMMENT ON COLUMN assignments.has_default_car IS 'Whether car_id is the driver''s default car, taken because the trip had none.';
COMMENT ON COLUMN assignments.trip_date IS 'A copy of the trip''s, so that a driver''s jobs and clashes are read from one index.';
COMMENT ON COLUMN assignments.trip_ends_at IS 'The end of the trip''s window: trip_date plus its duration.';
COMMENT ON COLUMN assignments.token_hash IS 'SHA-256 of the driver token; null once the assignment has ended.';
COMMENT ON COLUMN assignments.ended_token_hash IS 'The token_hash that an ended assignment had. It only explains why the link is no longer valid.';
CREATE UNIQUE INDEX assignments_by_token ON assignments (business_id, token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX assignments_standing ON assignments (business_id, trip_id, driver_id)
  WHERE status IN ('assigned', 'en_route');
CREATE INDEX assignments_by_trip ON assignments (business_id, trip_id, assignment_id);
CREATE INDEX assignments_by_driver ON assignments (business_id, driver_id, trip_date, trip_id)
  INCLUDE (assignment_id, status, trip_ends_at);
CREATE INDEX assignments_by_status ON assignments (business_id, driver_id, status, trip_date, trip_id)
  INCLUDE (assignment_id, trip_ends_at);
COMMENT ON INDEX assignments_by_status IS
  'A driver''s upcoming and previous jobs in their order; with what decides it, so that a count reads no rows of the table.';
CREATE INDEX assignments_by_car ON assignments (business_id, car_id, trip_date, assignment_id)
  INCLUDE (status) WHERE car_id IS NOT NULL;
COMMENT ON INDEX assignments_by_car IS 'With ended assignments: the deletion of a car looks here for assignments that refer to it.';
CREATE INDEX assignments_long_by_car ON assignments (business_id, car_id, trip_date)
  WHERE car_id IS NOT NULL AND trip_ends_at - trip_date > interval '1 day';
CREATE INDEX assignments_windows ON assignments (business_id, driver_id, trip_date, assignment_id)
  INCLUDE (trip_id, trip_ends_at, status)
  WHERE status IN ('assigned', 'en_route');
CREATE INDEX assignments_long ON assignments (business_id, driver_id, trip_date, assignment_id)
  INCLUDE (trip_id, trip_ends_at, status)
  WHERE status IN ('assigned', 'en_route') AND trip_ends_at - trip_date > interval '1 day';
COMMENT ON INDEX assignments_long IS
  'With all columns that the clashes of a driver need. Otherwise PostgreSQL prefers the index of all live assignments, and reads thousands of them for each job of a driver who has as many.';
CREATE INDEX assignments_by_ended_token ON assignments (business_id, ended_token_hash) WHERE ended_token_hash IS NOT NULL;
CREATE INDEX assignments_en_route ON assignments (business_id, driver_id) WHERE status = 'en_route';

CREATE TABLE schedule_locks (
  business_id bigint NOT NULL REFERENCES businesses,
  resource    text NOT NULL CHECK (resource IN ('car', 'driver')),
  resource_id bigint NOT NULL,
  PRIMARY KEY (business_id, resource, resource_id)
);
COMMENT ON TABLE schedule_locks IS
  'A row to lock for each car and driver whose schedule is checked. A deletion holds the lock of the car or driver itself while it waits for trips.';

CREATE TABLE assignment_milestones (
  business_id   bigint NOT NULL,
  assignment_id bigint NOT NULL,
  milestone     text NOT NULL CHECK (milestone IN ('arrived_at_pickup', 'passenger_on_board', 'arrived_at_stop', 'no_show')),
  stop_index    integer NOT NULL DEFAULT 0 CHECK (stop_index BETWEEN 0 AND 49),
  at            timestamptz NOT NULL,
  lat           double precision CHECK (lat BETWEEN -90 AND 90),
  lng           double precision CHECK (lng BETWEEN -180 AND 180),
  PRIMARY KEY (business_id, assignment_id, milestone, stop_index),
  CHECK (milestone = 'arrived_at_stop' OR stop_index = 0),
  FOREIGN KEY (business_id, assignment_id) REFERENCES assignments (business_id, assignment_id)
);

COMMENT ON COLUMN assignment_milestones.stop_index IS
  'The position of the stop in the trip''s stops, from 0; 0 for other kinds, because a column of the key cannot be null.';

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
COMMENT ON TABLE trip_changes IS 'The timeline of each trip: one row per change, written in the transaction of the change.';
`
