/**
 * A row for each business that its requests lock and count in, and a row for each account that its sign-ins lock. The rows of
 * `businesses` and `users` are copied to each node of a distributed database, where a lock of one row makes every business wait.
 * The rows are made by the first lock.
 */
export const businessCounters = `
CREATE TABLE business_counters (
  business_id          bigint PRIMARY KEY REFERENCES businesses,
  email_credits_change integer NOT NULL DEFAULT 0
);
COMMENT ON COLUMN business_counters.email_credits_change IS
  'What was added to or spent of businesses.email_credits: the balance is the sum of both.';

CREATE TABLE account_locks (
  user_id bigint PRIMARY KEY REFERENCES users
);
COMMENT ON TABLE account_locks IS
  'Rows that sign-ins and changes of an account lock. The table is global: a user may act for several businesses.';
`
