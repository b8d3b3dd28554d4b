/** Whose an identity at a provider is. A person has at most one at each issuer. */
export const identityProviders = `
CREATE TABLE linked_identities (
  issuer    text NOT NULL,
  subject   text NOT NULL,
  user_id   bigint NOT NULL REFERENCES users,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);
COMMENT ON TABLE linked_identities IS 'Never re-pointed: what an issuer calls a subject is one person for good.';
`
