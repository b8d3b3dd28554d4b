/** Customers, and the words by which they are found. */
export const customers = `
CREATE TABLE customers (
  business_id bigint NOT NULL REFERENCES businesses,
  customer_id bigint GENERATED ALWAYS AS IDENTITY,
  name        text NOT NULL,
  email       text,
  phone       text,
  company     text,
  address     text,
  country     text,
  vat_number      text,
  notes       text,
  search      tsvector NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  deleted_at  timestamptz,
  PRIMARY KEY (business_id, customer_id)
);
COMMENT ON COLUMN customers.search IS 'The words by which the customer is found, each after the id of its business.';
CREATE INDEX customers_by_search ON customers USING gin (search) WITH (fastupdate = off) WHERE deleted_at IS NULL;
CREATE INDEX customers_by_name ON customers (business_id, name, customer_id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX customers_by_email ON customers (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE customer_email_locks (
  business_id bigint PRIMARY KEY REFERENCES businesses
);
COMMENT ON TABLE customer_email_locks IS
  'A row to lock for each business: exclusively to give a customer an email, shared to look a customer up by email.';
`
