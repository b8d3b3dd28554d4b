/** The pool, and transactions on it. */
import { Pool, types } from "pg"

// int8 columns hold ids and amounts that fit a JavaScript number.
types.setTypeParser(types.builtins.INT8, Number)

/** A pool with the bounds that Livery's has. */
export const makePool = (connectionString, max) => {
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    options: "-c TimeZone=UTC"
  })
  pool.on("error", () => undefined)
  return pool
}

/** Runs `work` in a transaction on a client of the pool. */
export const transaction = async (pool, work) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await work(client)
    await client.query("COMMIT")
    client.release()
    return result
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      () => client.release(true)
    )
    throw error
  }
}
