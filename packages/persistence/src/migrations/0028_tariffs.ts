/** From when a version of a tariff holds, and the tariff of a customer. */
export const tariffs = `
ALTER TABLE tariff_versions ADD COLUMN valid_from timestamptz;
COMMENT ON COLUMN tariff_versions.valid_from IS
  'The version prices pickups from this instant on, until that of another version; null: at any time before the first one.';
ALTER TABLE customers ADD COLUMN tariff_id bigint;
COMMENT ON COLUMN customers.tariff_id IS 'The tariff that prices the trips of the customer unless a request names another one. It may be deleted: then it prices nothing.';
`
