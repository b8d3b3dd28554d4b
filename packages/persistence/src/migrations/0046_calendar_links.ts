/** The secret links of calendars to their feeds. */
export const calendarLinks = `
CREATE TABLE calendar_links (
  business_id bigint NOT NULL REFERENCES businesses,
  kind        text NOT NULL CHECK (kind IN ('office', 'driver', 'customer')),
  owner_id    bigint NOT NULL,
  token_hash  text NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, kind, owner_id),
  UNIQUE (business_id, token_hash)
);
COMMENT ON TABLE calendar_links IS 'SHA-256 of the token by which a calendar reads a feed; a new token replaces it.';
COMMENT ON COLUMN calendar_links.owner_id IS 'The member''s user, the driver or the customer, by kind.';
`
