/**
 * The changed settings of the platform, rate counters that several nodes share, the stored responses of idempotent requests,
 * the value that checks the installation's secret, and the installation's name. All are global.
 */
export const platform = `
CREATE TABLE platform_settings (
  setting_key text PRIMARY KEY,
  value       jsonb NOT NULL,
  updated_at  timestamptz NOT NULL
);
COMMENT ON TABLE platform_settings IS 'The settings that were changed. The others have their defaults.';

CREATE UNLOGGED TABLE rate_counters (
  window_no bigint NOT NULL,
  key       text NOT NULL,
  used      integer NOT NULL,
  PRIMARY KEY (window_no, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
COMMENT ON TABLE rate_counters IS
  'Unlogged, since a counter is worth nothing after a minute. The window leads the key: expired counters are one range of the index.';
COMMENT ON COLUMN rate_counters.window_no IS 'Minutes since 1970, by this server''s clock.';

CREATE TABLE idempotency_keys (
  key             text PRIMARY KEY,
  sealed_response text NOT NULL,
  lease           integer NOT NULL DEFAULT 0,
  leased_until    timestamptz,
  created_at      timestamptz NOT NULL
);
CREATE TABLE idempotency_keys_previous (LIKE idempotency_keys INCLUDING ALL);
INSERT INTO table_generations (table_name, generation) VALUES ('idempotency_keys', 1);
COMMENT ON TABLE idempotency_keys IS
  'By the digest of a caller and its Idempotency-Key. The response is written in the transaction whose change it reports.';
COMMENT ON TABLE idempotency_keys_previous IS
  'The generation before idempotency_keys. A row that is needed again moves there; the others are dropped with the table.';
COMMENT ON COLUMN idempotency_keys.leased_until IS
  'The lease of a request that waits for an outside server, and therefore runs without a transaction.';

CREATE TABLE secret_check (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sealed   text NOT NULL
);
COMMENT ON TABLE secret_check IS 'One value, sealed with the secret that the data is sealed with.';

CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  name     text NOT NULL
);
INSERT INTO installation (name) VALUES (replace(gen_random_uuid()::text, '-', ''));
COMMENT ON TABLE installation IS
  'A random name, under which this installation keeps its records at the payment provider. Several installations may share an account there.';
`
