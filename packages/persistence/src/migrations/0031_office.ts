/** What the office's screens need: deletions of trips in their order, views and preferences of users. */
export const office = `
CREATE INDEX trips_by_deletion ON trips (business_id, deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX trips_by_deletion IS 'What changed lately on the dispatch board.';
`
