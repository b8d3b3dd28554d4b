/** Whether too little time to drive between two trips asks for a confirmation. */
export const driveTime = `
ALTER TABLE businesses ADD COLUMN drive_time_enforced boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN businesses.drive_time_enforced IS
  'Whether the policy enforce also asks for a confirmation if a driver or a car has too little time to drive between two trips.';
`
