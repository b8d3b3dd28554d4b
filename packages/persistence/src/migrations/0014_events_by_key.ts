/**
 * Events in their order are indexed without samples, which no list of events shows. And so the index cannot be taken
 * for a look-up by key: on a table that was analyzed while it was filled for the first time both seemed as cheap, and
 * each delivery that was claimed, and each that was written, read the events of its business through.
 */
export const eventsByKey = `
DROP INDEX events_in_order;
CREATE INDEX events_in_order ON events (business_id, horizon, position) WHERE NOT sample;
`
