/** Sessions that are long over can be found, and go with their refresh tokens. */
export const forgottenSessions = `
CREATE INDEX session_families_by_end ON session_families (expires_at);

ALTER TABLE refresh_tokens
  DROP CONSTRAINT refresh_tokens_session_id_fkey,
  ADD CONSTRAINT refresh_tokens_session_id_fkey
    FOREIGN KEY (session_id) REFERENCES session_families ON DELETE CASCADE;
`
