/** Unfinished erasures, and the remains of erasures: the ids of the erased records, and the parties of issued invoices (docs/engineering/0021-erasure.md). */
export const privacy = `
CREATE TABLE erased_records (
  business_id bigint NOT NULL REFERENCES businesses,
  kind        text NOT NULL CHECK (kind IN ('customer', 'driver', 'trip', 'quote', 'booking')),
  record_id   bigint NOT NULL,
  erased_at   timestamptz NOT NULL,
  PRIMARY KEY (business_id, kind, record_id)
);
COMMENT ON TABLE erased_records IS 'The records of erased persons: copies of them in events and responses are erased too.';

CREATE TABLE erasures (
  erasure_key text PRIMARY KEY,
  person      jsonb NOT NULL,
  subject     text NOT NULL,
  actor       text NOT NULL,
  reason      text,
  progress    jsonb NOT NULL,
  lease       text NOT NULL,
  attempt     integer NOT NULL,
  due_at      timestamptz NOT NULL,
  started_at  timestamptz NOT NULL
);
COMMENT ON TABLE erasures IS
  'Erasures that have begun and not ended: the records and texts by which the rest of the person is found. The table is global, because an account belongs to no business.';
COMMENT ON COLUMN erasures.progress IS 'How many records each step has erased, and where its next window begins: {step: {count, after}}.';
COMMENT ON COLUMN erasures.due_at IS 'When the lease ends: from then on another process may continue the erasure.';

CREATE TABLE retained_parties (
  business_id bigint NOT NULL REFERENCES businesses,
  kind        text NOT NULL CHECK (kind IN ('customer', 'trip')),
  record_id   bigint NOT NULL,
  party       jsonb NOT NULL,
  retained_at timestamptz NOT NULL,
  PRIMARY KEY (business_id, kind, record_id)
);
COMMENT ON TABLE retained_parties IS
  'The names on issued invoices, of customers and of trips that were erased. Accounting law requires that invoices keep them.';
`
