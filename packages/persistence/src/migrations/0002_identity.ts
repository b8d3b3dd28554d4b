/**
 * Users and their credentials: codes, sessions, devices, identities at providers, API keys. All of these tables but the
 * invitations of members are global: a user belongs to several businesses, and a credential is looked up before its business is known.
 */
export const identity = `
CREATE TABLE users (
  user_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email             text NOT NULL UNIQUE,
  name              text NOT NULL,
  mobile_phone      text,
  account_type      text NOT NULL CHECK (account_type IN ('S', 'A', 'D')),
  password_hash     text NOT NULL,
  email_verified_at timestamptz,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL
);
CREATE INDEX users_by_search ON users USING gin (name gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX users_by_account_type ON users (account_type, user_id);

CREATE TABLE business_members (
  business_id bigint NOT NULL REFERENCES businesses,
  user_id     bigint NOT NULL REFERENCES users,
  role        text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'dispatcher', 'accountant', 'viewer')),
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, user_id)
);
CREATE INDEX business_members_by_user ON business_members (user_id, business_id);

CREATE TABLE member_invitations (
  business_id bigint NOT NULL REFERENCES businesses,
  code_hash   text NOT NULL,
  email       text NOT NULL,
  name        text,
  role        text NOT NULL CHECK (role IN ('owner', 'dispatcher', 'accountant', 'viewer')),
  expires_at  timestamptz NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (business_id, code_hash),
  UNIQUE (business_id, email)
);
COMMENT ON TABLE member_invitations IS 'Invitations that are not accepted yet; the newest one to each address.';

CREATE TABLE verification_codes (
  code_hash  text PRIMARY KEY,
  code_id    bigint GENERATED ALWAYS AS IDENTITY,
  user_id    bigint REFERENCES users,
  purpose    text NOT NULL CONSTRAINT verification_codes_purpose CHECK (purpose IN ('verify_email', 'reset_password')),
  expires_at timestamptz NOT NULL,
  used_at    timestamptz,
  created_at timestamptz NOT NULL
);
COMMENT ON COLUMN verification_codes.user_id IS
  'Null in a row for an address without an account: it is written so that both cases take the same time.';
CREATE INDEX verification_codes_newest ON verification_codes (user_id, purpose, code_id DESC);
CREATE INDEX verification_codes_by_expiry ON verification_codes (expires_at);

CREATE TABLE session_families (
  session_id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id           bigint NOT NULL REFERENCES users,
  device_name       text,
  created_at        timestamptz NOT NULL,
  expires_at        timestamptz NOT NULL,
  revoked_at        timestamptz,
  last_rotated_hash text,
  sealed_successor  text,
  CONSTRAINT session_families_successor CHECK ((last_rotated_hash IS NULL) = (sealed_successor IS NULL))
);
COMMENT ON TABLE session_families IS 'One sign-in and all refresh tokens that descend from it; revoked as one.';
COMMENT ON COLUMN session_families.sealed_successor IS
  'The live token. It is returned again when the previous one is presented within the grace period; null outside of it.';
CREATE INDEX session_families_by_user ON session_families (user_id);
CREATE INDEX session_families_by_end ON session_families (expires_at);

CREATE TABLE refresh_tokens (
  token_hash text PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES session_families ON DELETE CASCADE,
  issued_at  timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  rotated_at timestamptz
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens (session_id);
CREATE UNIQUE INDEX refresh_tokens_live ON refresh_tokens (session_id) WHERE rotated_at IS NULL;
COMMENT ON INDEX refresh_tokens_live IS 'A session has at most one live refresh token.';

CREATE TABLE devices (
  device_token text PRIMARY KEY,
  user_id      bigint NOT NULL REFERENCES users,
  platform     text NOT NULL CHECK (platform IN ('ios', 'android', 'web')),
  device_name  text,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
CREATE INDEX devices_by_user ON devices (user_id, updated_at DESC);

CREATE TABLE linked_identities (
  issuer    text NOT NULL,
  subject   text NOT NULL,
  user_id   bigint NOT NULL REFERENCES users,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);
COMMENT ON TABLE linked_identities IS 'Identities at providers. A row never changes its user: an issuer''s subject is one person for good.';

CREATE TABLE api_keys (
  business_id  bigint NOT NULL REFERENCES businesses,
  key_hash     text NOT NULL UNIQUE,
  masked_key   text NOT NULL,
  created_by   bigint NOT NULL REFERENCES users (user_id),
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (business_id, key_hash)
);
`
