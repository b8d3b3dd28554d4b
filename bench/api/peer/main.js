/**
 * The peer: the same routes as Livery, written by hand with Fastify 5 and `pg` for a PostgreSQL that Livery migrated.
 * It reads the settings that Livery reads, under the same names:
 *
 *     PORT, DATABASE_URL, DATABASE_POOL, RATE_LIMIT_BUSINESS, RATE_LIMIT_PUBLIC
 *
 * and COUNTERS (`memory`, or `postgres` to share the rate counters between nodes) and OPENAPI (the file of Livery's OpenAPI
 * document, whose fields its answers have).
 */
import { pino } from "pino"
import { build } from "./app.js"
import { memoryCounters, postgresCounters } from "./counters.js"
import { makePool } from "./database.js"

const { env } = process
const pool = makePool(env.DATABASE_URL, Number(env.DATABASE_POOL ?? 10))

// pino's fastest setting that still writes every line at once; standard error, as Livery's log.
const logger = pino(
  {
    base: null,
    messageKey: "message",
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (level) => ({ level }) }
  },
  pino.destination({ fd: 2, sync: true })
)

const app = await build({
  pool,
  logger,
  counters: env.COUNTERS === "postgres" ? postgresCounters(pool) : memoryCounters(),
  limits: {
    business: Number(env.RATE_LIMIT_BUSINESS ?? 600),
    public: Number(env.RATE_LIMIT_PUBLIC ?? 120)
  }
})

const address = await app.listen({ host: "127.0.0.1", port: Number(env.PORT ?? 0) })
process.stdout.write(`${address}/api/v1\n`)

const stop = async () => {
  await app.close()
  await pool.end()
}
process.once("SIGTERM", () => void stop())
