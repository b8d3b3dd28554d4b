/** Emails that wait to be sent. The table is global. */
export const mail = `
CREATE TABLE mail_outbox (
  mail_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sealed_message  text NOT NULL,
  attempt         integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);
COMMENT ON TABLE mail_outbox IS 'A row is deleted once the mail server has accepted its message.';
`
