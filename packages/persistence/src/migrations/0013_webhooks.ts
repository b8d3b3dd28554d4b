/** Events, the endpoints that subscribe to them, and the queue of deliveries. */
export const webhooks = `
CREATE SEQUENCE event_sequence;
CREATE TABLE event_history (
  generation  integer NOT NULL,
  business_id bigint NOT NULL REFERENCES businesses,
  event_id    text NOT NULL,
  event_type  text NOT NULL,
  body        text NOT NULL,
  sequence    bigint NOT NULL DEFAULT nextval('event_sequence'),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  sample      boolean NOT NULL DEFAULT false,
  position    bigint CHECK (position > 0),
  trace_parent text
) PARTITION BY LIST (generation);
COMMENT ON TABLE event_history IS 'All generations of events. An event without a position is in the table events.';
CREATE TABLE events PARTITION OF event_history (generation DEFAULT 1, PRIMARY KEY (business_id, event_id)) FOR VALUES IN (1);
INSERT INTO table_generations (table_name, generation) VALUES ('events', 1);
COMMENT ON COLUMN events.sequence IS 'Drawn while the record that changed is locked: orders the changes of one record.';
COMMENT ON COLUMN events.sample IS 'True for a test event: it reports no change, and no list of events shows it.';
COMMENT ON COLUMN events.trace_parent IS 'The W3C traceparent of the traced request that caused the event; null if it was not traced.';
COMMENT ON COLUMN events.position IS
  'The place in the feed of the business; null until it is assigned after the commit, and for samples.';
CREATE UNIQUE INDEX events_in_order ON events (business_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (business_id, sequence) WHERE position IS NULL AND NOT sample;

CREATE TABLE event_feeds (
  business_id      bigint PRIMARY KEY REFERENCES businesses,
  dropped_position bigint NOT NULL
);
COMMENT ON TABLE event_feeds IS 'The last position of each business whose event was dropped with its generation.';

CREATE TABLE event_sequencer (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row));
COMMENT ON TABLE event_sequencer IS 'One row, locked by the statement that assigns positions. The table is global.';
INSERT INTO event_sequencer DEFAULT VALUES;

CREATE TABLE webhook_endpoints (
  business_id     bigint NOT NULL REFERENCES businesses,
  endpoint_id     bigint GENERATED ALWAYS AS IDENTITY,
  url             text NOT NULL,
  host            text NOT NULL GENERATED ALWAYS AS (
    rtrim(lower(coalesce(substring(url FROM '^[^/]*//(?:[^/?#@]*@)?(\\[[^]]*\\]|[^/?#:]*)'), '')), '.')
  ) STORED,
  events          text[] NOT NULL,
  status          text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'disabled')),
  sealed_secret   text NOT NULL,
  retired_secrets jsonb NOT NULL DEFAULT '[]',
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  deleted_at      timestamptz,
  PRIMARY KEY (business_id, endpoint_id),
  CONSTRAINT webhook_endpoints_deleted_is_disabled CHECK (deleted_at IS NULL OR status = 'disabled')
);
COMMENT ON COLUMN webhook_endpoints.host IS 'The host of the URL, in lower case and without a last dot.';
COMMENT ON COLUMN webhook_endpoints.retired_secrets IS
  'Former secrets, [{sealed, until}], the newest first; until then messages are signed with them too.';
COMMENT ON COLUMN webhook_endpoints.deleted_at IS 'Lists leave the row out; it stays for the deliveries that refer to it.';
CREATE INDEX webhook_endpoints_in_use ON webhook_endpoints (business_id, endpoint_id) WHERE deleted_at IS NULL;

CREATE SEQUENCE webhook_delivery_ids;
CREATE TABLE webhook_delivery_history (
  generation      integer NOT NULL,
  business_id     bigint NOT NULL,
  delivery_id     bigint NOT NULL DEFAULT nextval('webhook_delivery_ids'),
  endpoint_id     bigint NOT NULL,
  event_id        text NOT NULL,
  event_type      text NOT NULL,
  status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempt         integer NOT NULL DEFAULT 0 CHECK (attempt BETWEEN 0 AND 6),
  next_attempt_at timestamptz DEFAULT clock_timestamp() CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  claim_id        uuid,
  last_error      text,
  response_status integer,
  attempts        jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(attempts) = 'array'),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  cancelled_at    timestamptz,
  CONSTRAINT webhook_deliveries_business_id_endpoint_id_fkey
    FOREIGN KEY (business_id, endpoint_id) REFERENCES webhook_endpoints (business_id, endpoint_id),
  CONSTRAINT webhook_deliveries_claim_of_open CHECK (claim_id IS NULL OR status = 'pending' OR cancelled_at IS NOT NULL)
) PARTITION BY LIST (generation);
COMMENT ON TABLE webhook_delivery_history IS
  'All generations of webhook_deliveries. One that is pending or claimed is in the table webhook_deliveries.';
CREATE TABLE webhook_deliveries PARTITION OF webhook_delivery_history (
  generation DEFAULT 1, PRIMARY KEY (business_id, endpoint_id, delivery_id)
) FOR VALUES IN (1);
INSERT INTO table_generations (table_name, generation) VALUES ('webhook_deliveries', 1);
COMMENT ON COLUMN webhook_deliveries.event_id IS
  'No foreign key, which would keep generations of events from being dropped. One statement writes an event and its deliveries.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'When it is due; while it is claimed, when the claim expires.';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'The attempts whose outcome is known, in order, as the delivery record shows them.';
COMMENT ON COLUMN webhook_deliveries.cancelled_at IS
  'When its endpoint was disabled or deleted while it was pending; a claim may then still record the outcome of its attempt.';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at)
  WHERE status = 'pending' AND claim_id IS NULL;
CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (status, next_attempt_at) WHERE claim_id IS NOT NULL;
COMMENT ON INDEX webhook_deliveries_claimed IS 'The status leads so that no plan made on an empty table reads all of the index.';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (business_id, endpoint_id, delivery_id DESC) WHERE status = 'failed';

CREATE TABLE webhook_claim_lock (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row));
COMMENT ON TABLE webhook_claim_lock IS 'One row, locked by the statement that claims deliveries. The table is global.';
INSERT INTO webhook_claim_lock DEFAULT VALUES;
CREATE SEQUENCE webhook_last_claim;
COMMENT ON SEQUENCE webhook_last_claim IS 'The number of the transaction that claimed last.';
`
