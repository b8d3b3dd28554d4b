/**
 * Events get their position in the feed after they have committed, from one process at a time. The order of transaction
 * numbers made the feed wait for every writing transaction of the cluster.
 */
export const eventPositions = `
DROP INDEX events_in_order;
ALTER TABLE events RENAME COLUMN position TO sequence;
ALTER TABLE events ADD COLUMN position bigint CHECK (position > 0);
UPDATE events e SET position = o.position
FROM (
  SELECT business_id, event_id, row_number() OVER (PARTITION BY business_id ORDER BY horizon, sequence) AS position
  FROM events WHERE NOT sample
) o
WHERE e.business_id = o.business_id AND e.event_id = o.event_id;
ALTER TABLE events DROP COLUMN horizon;
COMMENT ON COLUMN events.sequence IS 'Drawn while the record that changed is locked: orders the changes of one record.';
COMMENT ON COLUMN events.position IS 'The place in the feed of the business; null until it is assigned after the commit, and for samples.';
CREATE UNIQUE INDEX events_in_order ON events (business_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_without_position ON events (business_id, sequence) WHERE position IS NULL AND NOT sample;

CREATE TABLE event_sequencer (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row));
COMMENT ON TABLE event_sequencer IS 'One row, locked by the statement that assigns positions.';
INSERT INTO event_sequencer DEFAULT VALUES;
`
