/** Tariffs and their versions. */
export const sales = `
CREATE TABLE tariffs (
  business_id bigint NOT NULL REFERENCES businesses,
  tariff_id   bigint GENERATED ALWAYS AS IDENTITY,
  version     integer NOT NULL CHECK (version > 0),
  name        text NOT NULL,
  currency    text NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  deleted_at  timestamptz,
  PRIMARY KEY (business_id, tariff_id)
);
CREATE INDEX tariffs_by_id ON tariffs (business_id, tariff_id) WHERE deleted_at IS NULL;

CREATE TABLE tariff_versions (
  business_id bigint NOT NULL,
  tariff_id   bigint NOT NULL,
  version     integer NOT NULL CHECK (version > 0),
  content     jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, tariff_id, version),
  FOREIGN KEY (business_id, tariff_id) REFERENCES tariffs (business_id, tariff_id)
);
COMMENT ON TABLE tariff_versions IS
  'The content of each version of a tariff. Rows are neither changed nor deleted, so that each fare can be computed again.';
`
