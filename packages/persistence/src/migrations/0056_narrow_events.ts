/**
 * Events keep their bodies beside their rows, compressed. The update that gives an event its position then writes about 150 bytes
 * instead of the whole body again. Stored events stay as they are until their generation is dropped.
 */
export const narrowEvents = `
ALTER TABLE events SET (toast_tuple_target = 512);
COMMENT ON COLUMN events.body IS
  'JSON, followed by spaces up to 2,048 characters: PostgreSQL compresses and moves out values only of rows from 2,032 bytes on. '
  'The spaces take nothing once they are compressed.';
`
