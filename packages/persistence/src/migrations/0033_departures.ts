/** Departures of tours, and the bookings that share the trip of one. */
export const departures = `
ALTER TABLE products ADD COLUMN departures jsonb NOT NULL DEFAULT '[]';
COMMENT ON COLUMN products.departures IS 'The weekdays, the times of day and the seats of the departures of a tour; empty if it starts at any time.';

ALTER TABLE bookings ADD COLUMN shares_trip boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN bookings.shares_trip IS
  'Whether it is for a departure. Such bookings share one trip, and are invoiced each for itself. The seats taken are the sum of their participants.';
`
