/**
 * Positions of drivers and the tracking links of passengers.
 *
 * A phone reports its position every few seconds. No index of `driver_positions` holds a column that a report changes,
 * and its pages keep room, so that the new version of a row fits beside the old one (a heap-only update).
 */
export const tracking = `
CREATE TABLE driver_positions (
  business_id   bigint NOT NULL,
  assignment_id bigint NOT NULL,
  lat           double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
  lng           double precision NOT NULL CHECK (lng BETWEEN -180 AND 180),
  accuracy      double precision,
  heading       double precision,
  speed         double precision,
  recorded_at   timestamptz NOT NULL,
  received_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, assignment_id),
  FOREIGN KEY (business_id, assignment_id) REFERENCES assignments (business_id, assignment_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
COMMENT ON TABLE driver_positions IS 'The newest report of each assignment, by recorded_at.';
COMMENT ON COLUMN driver_positions.recorded_at IS 'When the phone measured it, by the phone''s clock.';

CREATE TABLE driver_trail_history (
  generation    integer NOT NULL,
  business_id   bigint NOT NULL,
  assignment_id bigint NOT NULL,
  recorded_at   timestamptz NOT NULL,
  lat           double precision NOT NULL CHECK (lat BETWEEN -90 AND 90),
  lng           double precision NOT NULL CHECK (lng BETWEEN -180 AND 180),
  accuracy      double precision,
  heading       double precision,
  speed         double precision,
  received_at   timestamptz NOT NULL,
  FOREIGN KEY (business_id, assignment_id) REFERENCES assignments (business_id, assignment_id)
) PARTITION BY LIST (generation);
COMMENT ON TABLE driver_trail_history IS 'All generations of driver_trail.';
CREATE TABLE driver_trail PARTITION OF driver_trail_history (
  generation DEFAULT 1, PRIMARY KEY (business_id, assignment_id, recorded_at, lat, lng)
) FOR VALUES IN (1);
COMMENT ON TABLE driver_trail IS 'Every accepted report, late ones too.';
INSERT INTO table_generations (table_name, generation) VALUES ('driver_trail', 1);

CREATE TABLE tracking_links (
  business_id bigint NOT NULL,
  trip_id     bigint NOT NULL,
  token_hash  text NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, trip_id),
  UNIQUE (business_id, token_hash),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id)
);
COMMENT ON TABLE tracking_links IS 'SHA-256 of the token by which a passenger follows a trip; a new token replaces it.';
`
