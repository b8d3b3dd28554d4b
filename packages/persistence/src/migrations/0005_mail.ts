/** Queued emails, and the counts for their rate limits. The tables are global. */
export const mail = `
CREATE TABLE mail_outbox (
  mail_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sealed_message  text NOT NULL,
  message_id      uuid NOT NULL DEFAULT gen_random_uuid(),
  attempt         integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE mail_counts (
  key        text PRIMARY KEY,
  sent_at    timestamptz[] NOT NULL,
  expires_at timestamptz NOT NULL
);
COMMENT ON TABLE mail_counts IS 'When emails were posted within the last hour: to a recipient (the SHA-256 of the address), or of a business.';
CREATE INDEX mail_counts_expired ON mail_counts (expires_at);

CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);
COMMENT ON TABLE mail_outbox IS 'A row is deleted once the mail server has accepted its message.';
`
