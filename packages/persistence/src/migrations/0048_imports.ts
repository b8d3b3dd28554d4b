/** Imports of tables, and the names of records in other systems. */
export const imports = `
ALTER TABLE customers ADD COLUMN external_ref text;
ALTER TABLE drivers ADD COLUMN external_ref text;
ALTER TABLE cars ADD COLUMN external_ref text;
CREATE INDEX customers_by_external_ref ON customers (business_id, external_ref)
  WHERE external_ref IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE imports (
  business_id bigint NOT NULL REFERENCES businesses,
  import_id   bigint GENERATED ALWAYS AS IDENTITY,
  kind        text NOT NULL,
  dry_run     boolean NOT NULL,
  columns     jsonb NOT NULL,
  day_first   boolean NOT NULL,
  lines       integer NOT NULL,
  made        integer NOT NULL DEFAULT 0,
  matched     integer NOT NULL DEFAULT 0,
  changed     integer NOT NULL DEFAULT 0,
  refused     integer NOT NULL DEFAULT 0,
  attempts    integer NOT NULL DEFAULT 0,
  reason      text,
  created_at  timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (business_id, import_id)
);
COMMENT ON TABLE imports IS 'Tables whose lines become records of a business.';
CREATE INDEX imports_unfinished ON imports (import_id) WHERE finished_at IS NULL;
CREATE INDEX imports_by_end ON imports (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE import_lines (
  business_id bigint NOT NULL,
  import_id   bigint NOT NULL,
  line        integer NOT NULL,
  cells       jsonb NOT NULL,
  status      text,
  record_id   bigint,
  reasons     jsonb NOT NULL,
  PRIMARY KEY (business_id, import_id, line),
  FOREIGN KEY (business_id, import_id) REFERENCES imports (business_id, import_id)
);
COMMENT ON TABLE import_lines IS 'The lines of imports, and what became of each.';
COMMENT ON COLUMN import_lines.record_id IS 'Without a foreign key: the kind of the import says which table has the record, which may be deleted later.';
CREATE INDEX import_lines_waiting ON import_lines (business_id, import_id, line) WHERE status IS NULL;
CREATE INDEX import_lines_by_status ON import_lines (business_id, import_id, status, line) WHERE status IS NOT NULL;
`
