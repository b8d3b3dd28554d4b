/**
 * What rotation, new passwords and push need: at most one live refresh token for each family, by the database's own
 * word; codes for new passwords; devices.
 */
export const sessions = `
ALTER TABLE session_families
  ADD COLUMN last_rotated_hash text,
  ADD COLUMN sealed_successor  text,
  ADD CONSTRAINT session_families_successor CHECK ((last_rotated_hash IS NULL) = (sealed_successor IS NULL));
COMMENT ON COLUMN session_families.sealed_successor IS
  'The live token, for who presents the last one again in the grace; null where there is none.';

CREATE UNIQUE INDEX refresh_tokens_live ON refresh_tokens (session_id) WHERE rotated_at IS NULL;

ALTER TABLE verification_codes
  ADD COLUMN code_id bigint GENERATED ALWAYS AS IDENTITY,
  ALTER COLUMN user_id DROP NOT NULL,
  DROP CONSTRAINT verification_codes_purpose_check,
  ADD CONSTRAINT verification_codes_purpose CHECK (purpose IN ('verify_email', 'reset_password'));
COMMENT ON COLUMN verification_codes.user_id IS
  'Null in a row that was written only to take the time that any other takes.';
DROP INDEX verification_codes_by_user;
CREATE INDEX verification_codes_newest ON verification_codes (user_id, purpose, code_id DESC);
CREATE INDEX verification_codes_by_expiry ON verification_codes (expires_at);

CREATE TABLE devices (
  device_token text PRIMARY KEY,
  user_id      bigint NOT NULL REFERENCES users,
  platform     text NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
  device_name  text,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
CREATE INDEX devices_by_user ON devices (user_id, updated_at DESC);
`
