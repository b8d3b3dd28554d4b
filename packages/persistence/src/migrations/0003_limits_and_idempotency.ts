/**
 * Rate counters that several nodes share, and the answers of requests that named themselves.
 *
 * Counters are worth nothing after a minute: they are not logged, and a crash of the server forgets them. They are
 * keyed by their window first, so that old ones go by one range of the index and counting changes no indexed column.
 */
export const limitsAndIdempotency = `
CREATE UNLOGGED TABLE rate_counters (
  window_no bigint NOT NULL,
  key       text NOT NULL,
  used      integer NOT NULL,
  PRIMARY KEY (window_no, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
COMMENT ON COLUMN rate_counters.window_no IS 'Minutes since 1970, by this server''s clock.';

CREATE TABLE kept_answers (
  name          text PRIMARY KEY,
  sealed_answer text NOT NULL,
  expires_at    timestamptz NOT NULL
);
CREATE INDEX kept_answers_expired ON kept_answers (expires_at);
COMMENT ON TABLE kept_answers IS 'By the digest of a caller and its Idempotency-Key; written with the change it answers for.';
`
