/**
 * The businesses in which an account is or was a driver. A distributed database reads the drivers of an account in these alone: it would
 * ask every node for an account.
 */
export const driverAccounts = [
  `CREATE TABLE driver_accounts (
    user_id     bigint NOT NULL REFERENCES users,
    business_id bigint NOT NULL REFERENCES businesses,
    PRIMARY KEY (business_id, user_id)
  )`,
  "CREATE INDEX driver_accounts_by_user ON driver_accounts (user_id, business_id)",
  `INSERT INTO driver_accounts (user_id, business_id)
   SELECT DISTINCT user_id, business_id FROM drivers WHERE user_id IS NOT NULL`
]
