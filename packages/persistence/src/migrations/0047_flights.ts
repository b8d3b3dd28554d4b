/** How pickups follow flights, and the checks of the flights. */
export const flights = `
CREATE TABLE flight_settings (
  business_id bigint PRIMARY KEY REFERENCES businesses,
  enabled     boolean NOT NULL,
  settings    jsonb NOT NULL
);
COMMENT ON TABLE flight_settings IS 'How the pickups of each business follow flights; a business without a row has the default settings.';

CREATE TABLE flight_checks (
  business_id bigint NOT NULL,
  trip_id     bigint NOT NULL,
  flight      text NOT NULL,
  booked_for  timestamptz,
  set_to      timestamptz,
  failures    integer NOT NULL DEFAULT 0,
  due_at      timestamptz,
  PRIMARY KEY (business_id, trip_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id)
);
COMMENT ON TABLE flight_checks IS 'The checks of the flights of trips: what the pickup was, what the flight set it to, and when it is asked for again.';
COMMENT ON COLUMN flight_checks.flight IS 'The flight number of the trip when it was claimed; another one begins anew.';
COMMENT ON COLUMN flight_checks.due_at IS 'Null once the flight has landed.';
`
