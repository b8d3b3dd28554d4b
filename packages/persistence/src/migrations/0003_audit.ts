/** The log of administrative changes. It is global: some of them concern no business. */
export const audit = `
CREATE TABLE audit_log (
  audit_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  subject     text NOT NULL,
  business_id bigint REFERENCES businesses,
  before      jsonb,
  after       jsonb,
  reason      text,
  request_id  text
);
CREATE INDEX audit_log_by_subject ON audit_log (subject, audit_id);
CREATE INDEX audit_log_by_business ON audit_log (business_id, audit_id);
`
