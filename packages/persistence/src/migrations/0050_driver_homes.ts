/** Where drivers start and end their days. */
export const driverHomes = `
ALTER TABLE drivers ADD COLUMN home_address text;
ALTER TABLE drivers ADD COLUMN home_lat double precision;
ALTER TABLE drivers ADD COLUMN home_lng double precision;
`
