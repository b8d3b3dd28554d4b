/**
 * What the screens of the office need: deletions of trips in their order, views and preferences of users, and codes that open the
 * demonstration business.
 */
export const office = `
CREATE INDEX trips_by_deletion ON trips (business_id, deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON INDEX trips_by_deletion IS 'What changed lately on the dispatch board.';

CREATE TABLE saved_views (
  view_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    bigint NOT NULL REFERENCES users,
  name       text NOT NULL,
  screen     text NOT NULL,
  query      text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
COMMENT ON TABLE saved_views IS
  'The views of screens that users saved. The table is global: a user may act for several businesses.';
CREATE INDEX saved_views_by_user ON saved_views (user_id, screen, name, view_id);

CREATE TABLE user_preferences (
  user_id    bigint PRIMARY KEY REFERENCES users,
  language   text,
  theme      text NOT NULL,
  board      text NOT NULL,
  updated_at timestamptz NOT NULL
);
COMMENT ON TABLE user_preferences IS 'How users want the screens. The table is global.';
COMMENT ON COLUMN user_preferences.board IS 'The layout as JSON, in the words of the request: jsonb would reorder its keys.';

ALTER TABLE verification_codes DROP CONSTRAINT verification_codes_purpose;
`
