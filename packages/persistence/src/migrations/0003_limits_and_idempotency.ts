/**
 * Rate counters that several nodes share, and the stored responses of idempotent requests.
 *
 * Counters are worth nothing after a minute: the table is unlogged, and a crash of the server empties it. The window
 * leads the key, so that one range of the index deletes old ones, and counting changes no indexed column.
 */
export const limitsAndIdempotency = `
CREATE UNLOGGED TABLE rate_counters (
  window_no bigint NOT NULL,
  key       text NOT NULL,
  used      integer NOT NULL,
  PRIMARY KEY (window_no, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
COMMENT ON COLUMN rate_counters.window_no IS 'Minutes since 1970, by this server''s clock.';

CREATE TABLE idempotency_keys (
  key             text PRIMARY KEY,
  sealed_response text NOT NULL,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at);
COMMENT ON TABLE idempotency_keys IS
  'By the digest of a caller and its Idempotency-Key; the response is written with the change that it reports.';
`
