/** Whether a driver needs the passenger's code before the ride. */
export const pickupPin = `
ALTER TABLE businesses ADD COLUMN pickup_pin boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN businesses.pickup_pin IS
  'Whether a driver needs the code on the passenger''s tracking page to report that the passenger is on board.';
`
