/** The business whose data a stored response has, so that an erasure by a business opens no response of another one. */
export const responsesByBusiness = `
ALTER TABLE idempotency_keys ADD COLUMN owning_business_id bigint;
ALTER TABLE idempotency_keys_previous ADD COLUMN owning_business_id bigint;
COMMENT ON COLUMN idempotency_keys.owning_business_id IS
  'The business whose data the response has; null if it is no business''s, has no response yet, or was stored before this column existed.';
`
