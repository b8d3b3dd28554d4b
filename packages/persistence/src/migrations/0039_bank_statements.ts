/** Imported bank statements. */
export const bankStatements = `
CREATE TABLE bank_statements (
  business_id  bigint NOT NULL REFERENCES businesses,
  statement_id bigint GENERATED ALWAYS AS IDENTITY,
  format       text NOT NULL,
  account      text,
  digest       text NOT NULL,
  read_count   integer NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, statement_id)
);
COMMENT ON TABLE bank_statements IS 'Bank statements that were imported.';
CREATE UNIQUE INDEX bank_statements_by_digest ON bank_statements (business_id, digest);

CREATE TABLE bank_entries (
  business_id          bigint NOT NULL,
  entry_id             bigint GENERATED ALWAYS AS IDENTITY,
  statement_id         bigint NOT NULL,
  status               text NOT NULL,
  direction            text NOT NULL,
  booked_on            text NOT NULL,
  amount_minor         bigint NOT NULL CHECK (amount_minor > 0),
  currency             text NOT NULL,
  payer_name           text,
  text                 text,
  structured_reference text,
  bank_reference       text,
  fingerprint          text NOT NULL,
  remittance_id        bigint,
  created_at           timestamptz NOT NULL,
  PRIMARY KEY (business_id, entry_id),
  FOREIGN KEY (business_id, statement_id) REFERENCES bank_statements (business_id, statement_id),
  FOREIGN KEY (business_id, remittance_id) REFERENCES remittances (business_id, remittance_id),
  CHECK ((status = 'confirmed') = (remittance_id IS NOT NULL))
);
COMMENT ON TABLE bank_entries IS 'The entries of bank statements, and the payment that each became.';
CREATE UNIQUE INDEX bank_entries_by_fingerprint ON bank_entries (business_id, fingerprint);
CREATE INDEX bank_entries_by_statement ON bank_entries (business_id, statement_id, entry_id);
`
