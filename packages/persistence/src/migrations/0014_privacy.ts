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
  business_id bigint NOT NULL REFERENCES businesses,
  subject     text NOT NULL,
  person      jsonb NOT NULL,
  started_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, subject)
);
COMMENT ON TABLE erasures IS
  'Erasures that have begun and not ended: the records and texts by which a repetition finds the rest of the person.';

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
