/**
 * Events stand in the order in which their records changed. The number of the transaction that wrote one did not tell
 * it: a transaction has its number from its first write or lock on, and may wait for the record long after that.
 */
export const eventOrder = `
ALTER TABLE events RENAME COLUMN written_by TO horizon;
ALTER TABLE events ALTER COLUMN horizon SET DEFAULT
  greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
COMMENT ON COLUMN events.horizon IS 'The transaction that wrote it, or the last that had ended by then if that is later.';
`
