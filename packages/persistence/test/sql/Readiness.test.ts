import { assert, it } from "@effect/vitest"
import { Readiness } from "@livery/domain"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import * as ReadinessPg from "../../src/sql/schema/ReadinessPg.ts"

const Live = Layer.provideMerge(ReadinessPg.layer, TestDatabase.layer)

it.live("a database that takes no writes is not ready, and ready once it takes them again", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { check } = yield* Readiness
    assert.deepStrictEqual(yield* check, [])
    const readOnly = (value: string) =>
      Effect.gen(function* () {
        const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
        yield* sql.withTransaction(
          Effect.andThen(
            sql`SET TRANSACTION READ WRITE`,
            sql`ALTER DATABASE ${sql(row?.name ?? "")} SET default_transaction_read_only = ${sql.literal(value)}`
          )
        )
        yield* Effect.ignore(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      })
    yield* readOnly("on")
    assert.deepStrictEqual(yield* check, ["the database takes no writes"])
    yield* readOnly("off")
    // The session that replaced a dropped one may still be read-only.
    const ready = yield* Effect.repeat(check, { until: (missing) => missing.length === 0, times: 3 })
    assert.deepStrictEqual(ready, [])
  }).pipe(Effect.provide(Live))
)

it.live(
  "a check that the database takes writes assigns no transaction number, so that it writes nothing",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { check } = yield* Readiness
      const answers = yield* sql.withTransaction(
        Effect.andThen(check, sql`SELECT pg_current_xact_id_if_assigned() AS id`)
      )
      assert.deepStrictEqual(answers, [{ id: null }])
    }).pipe(Effect.provide(Live))
)

const clockThatIs = (seconds: number) =>
  Clock.clockWith((clock) => {
    const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + seconds * 1_000
    return Effect.succeed(
      Clock.Clock.of({
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    )
  })

it.live.each([
  [3_600, /^the clock is 3(?:600|59\d) seconds ahead of the database's$/u],
  [-3_600, /^the clock is 3(?:600|59\d) seconds behind the database's$/u],
  [30, undefined],
  [-30, undefined]
] as const)("a process whose clock is %i seconds off", ([seconds, text]) =>
  Effect.gen(function* () {
    const clock = yield* clockThatIs(seconds)
    const { check } = yield* Readiness.pipe(
      Effect.provide(ReadinessPg.layer),
      Effect.provideService(Clock.Clock, clock),
      Effect.provide(TestDatabase.layer)
    )
    const [missing, ...others] = yield* check
    assert.deepStrictEqual(others, [])
    if (text === undefined) assert.isUndefined(missing)
    else assert.match(missing ?? "", text)
  }).pipe(Effect.provide(TestDatabase.layer))
)
