/**
 * Measures the processor time that a statement and a transaction take in this process, in µs, sixteen at once, on an
 * embedded PostgreSQL of its own. The cases take turns, so that other work on the machine affects all of them equally.
 *
 *     npm run build && npx node --conditions=@livery/source bench/sql/main.ts [statements a turn] [turns]
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { PgClient } from "@livery/persistence"
import { compiled } from "../../packages/persistence/src/sql/statements/Compiled.ts"
import { cluster } from "../webhooks/Cluster.ts"
import { quantile } from "../webhooks/Figures.ts"

const perTurn = Number(process.argv[2] ?? 4_000)
const turns = Number(process.argv[3] ?? 15)
const concurrency = 16

/** As many columns as a trip has, of the same types. */
const columns = [
  ...Array.from({ length: 9 }, (_, index) => `${index}::bigint AS number_${index}`),
  ...Array.from({ length: 17 }, (_, index) => `'some words of text ${index}'::text AS text_${index}`),
  ...Array.from({ length: 6 }, (_, index) => `now() AS instant_${index}`),
  ...Array.from({ length: 2 }, (_, index) => `12.50::numeric AS amount_${index}`),
  ...Array.from({ length: 2 }, (_, index) => `(n > ${index}) AS flag_${index}`),
  "NULL::timestamptz AS never",
  "'[]'::json AS list"
].join(", ")

/** The services of a running Livery: a request's fiber carries about as many. */
const services = Context.makeUnsafe(
  new Map(Array.from({ length: 150 }, (_, index) => [`bench/Service${index}`, { index }]))
)

const cases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`CREATE TABLE wide AS SELECT n, ${columns} FROM generate_series(1, 100) AS n`)
  yield* sql`CREATE INDEX ON wide (n)`
  yield* sql`CREATE UNLOGGED TABLE written (n bigint, words text)`
  yield* sql`ANALYZE`
  let n = 0
  const next = () => (n = (n % 70) + 1)
  const names = Array.from({ length: 29 }, (_, index) => `column_${index}`)
  yield* sql.unsafe(`CREATE UNLOGGED TABLE many (${names.map((name) => `${name} text`).join(", ")})`)
  const row = () => Object.fromEntries(names.map((name) => [name, `words ${next()}`]))
  const compiledInsert = compiled<Readonly<Record<string, string>>>(
    sql,
    (values) => sql`INSERT INTO many ${sql.insert(values)}`
  )
  const insert = Effect.suspend(() => sql`INSERT INTO written (n, words) VALUES (${next()}, ${"words"})`)
  return {
    "a number": Effect.suspend(() => sql`SELECT ${next()}::bigint AS n`),
    "a row of 38 columns": Effect.suspend(() => sql`SELECT * FROM wide WHERE n = ${next()}`),
    "21 rows of 38 columns": Effect.suspend(() => {
      const from = next()
      return sql`SELECT * FROM wide WHERE n BETWEEN ${from} AND ${from + 20}`
    }),
    "an insert": insert,
    "an insert of 29 columns": Effect.suspend(() => sql`INSERT INTO many ${sql.insert(row())}`),
    "the same, compiled once": Effect.suspend(() => compiledInsert(row())),
    "an empty transaction": sql.withTransaction(Effect.void),
    "a transaction of one insert": sql.withTransaction(insert),
    "a transaction of five inserts": sql.withTransaction(
      Effect.all([insert, insert, insert, insert, insert], { discard: true })
    )
  } satisfies Record<string, Effect.Effect<unknown, unknown>>
})

const turn = (statement: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const before = process.cpuUsage()
    yield* Effect.replicateEffect(
      Effect.replicateEffect(statement, Math.ceil(perTurn / concurrency), { discard: true }),
      concurrency,
      { concurrency, discard: true }
    )
    const { system, user } = process.cpuUsage(before)
    return (user + system) / perTurn
  })

const bench = Effect.gen(function* () {
  const all = Object.entries(yield* cases)
  const took = new Map<string, Array<number>>(all.map(([name]) => [name, []]))
  for (let round = -2; round < turns; round++) {
    for (const [name, statement] of all) {
      // As `livery` runs: without spans, which nothing there collects.
      const each = yield* Effect.withTracerEnabled(Effect.provideContext(turn(statement), services), false)
      if (round >= 0) took.get(name)?.push(each)
    }
  }
  for (const [name, values] of took)
    process.stdout.write(`${name.padEnd(32)} ${quantile(values, 0.5).toFixed(1).padStart(7)} µs\n`)
})

await cluster.pipe(
  Effect.flatMap(({ url }) =>
    Effect.provide(bench, PgClient.layer({ url: Redacted.make(url) }).pipe(Layer.orDie))
  ),
  Effect.scoped,
  Effect.runPromise
)
