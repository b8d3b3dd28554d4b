/** Which jobs their drivers accepted or declined. */
export const acceptedJobs = `
ALTER TABLE assignments ADD COLUMN accepted_at timestamptz;
ALTER TABLE assignments ADD COLUMN accepted_pickup timestamptz;
ALTER TABLE assignments ADD COLUMN declined_at timestamptz;
ALTER TABLE assignments ADD COLUMN decline_reason text;
COMMENT ON COLUMN assignments.accepted_pickup IS
  'The pickup time that the driver accepted: an acceptance ends once the pickup is too far from it.';
`
