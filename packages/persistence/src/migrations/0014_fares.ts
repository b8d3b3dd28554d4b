/** Tariffs with their versions, the fares of trips, and drivers' pay. */
export const fares = `
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

CREATE TABLE trip_fares (
  business_id    bigint NOT NULL,
  trip_id        bigint NOT NULL,
  tariff_id      bigint NOT NULL,
  tariff_version integer NOT NULL,
  currency       text NOT NULL,
  quoted         jsonb NOT NULL,
  final          jsonb,
  PRIMARY KEY (business_id, trip_id),
  FOREIGN KEY (business_id, trip_id) REFERENCES trips (business_id, trip_id),
  FOREIGN KEY (business_id, tariff_id) REFERENCES tariffs (business_id, tariff_id)
);
COMMENT ON TABLE trip_fares IS
  'The fares of the trips that a tariff priced: the quoted one, and the final one once the trip has ended.';

CREATE TABLE driver_pay (
  business_id bigint NOT NULL,
  driver_id   bigint NOT NULL,
  schemes     jsonb NOT NULL CHECK (jsonb_typeof(schemes) = 'array'),
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, driver_id),
  FOREIGN KEY (business_id, driver_id) REFERENCES drivers (business_id, driver_id) ON DELETE CASCADE
);
COMMENT ON TABLE driver_pay IS 'The schemes by which a driver is paid, each from a day on.';
`
