/**
 * The keys by which links name businesses, in place of their ids. Two of 100,000 businesses have the same 44 random bits with a
 * probability of 0.03 %; links of one of them would then not be found. The colour of its brand is here too, because databases
 * exist to which the earlier migrations were applied.
 */
export const linkKeys = `
ALTER TABLE businesses ADD COLUMN link_key text NOT NULL
  DEFAULT 'b' || left(replace(gen_random_uuid()::text, '-', ''), 11);
CREATE INDEX businesses_by_link_key ON businesses (link_key);
COMMENT ON COLUMN businesses.link_key IS
  'Random: it names the business in links and addresses, which must not show its number. It never changes.';

ALTER TABLE businesses ADD COLUMN accent_color text CHECK (accent_color ~ '^#[0-9A-Fa-f]{6}$');
`
