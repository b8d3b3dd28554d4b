import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { client, Database, withClient } from "./Database.ts"

const Live = client().pipe(Layer.provideMerge(Database.layer))

const prepared = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements ORDER BY statement`
})

layer(Live, { excludeTestServices: true })("statements", (it) => {
  it.effect("a repeated statement is prepared once, and a single one is not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`SELECT ${1}::integer AS once`
      for (let i = 0; i < 3; i++) yield* sql`SELECT ${i}::integer AS again`
      assert.deepStrictEqual(yield* prepared, [{ statement: "SELECT $1::integer AS again" }])
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("lists of varying length make few prepared statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let round = 0; round < 2; round++) {
        for (let length = 1; length <= 700; length += 7) {
          const ids = Array.from({ length }, (_, id) => id)
          yield* sql`SELECT 1 WHERE 1 IN ${sql.in(ids)}`
          yield* sql`SELECT 1 WHERE 1 IN ${sql.in(ids)}`
        }
      }
      assert.isBelow((yield* prepared).length, 20)
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("a session prepares a limited number of statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let i = 0; i < 700; i++) {
        yield* sql`SELECT ${i}::integer AS ${sql(`column_${i}`)}`
        yield* sql`SELECT ${i}::integer AS ${sql(`column_${i}`)}`
      }
      assert.strictEqual((yield* prepared).length, 500)
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("without `prepare`, no statement is prepared, and transactions have their timeouts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (let i = 0; i < 3; i++) yield* sql`SELECT ${i}::integer AS again`
      assert.deepStrictEqual(yield* prepared, [])
      const limit = sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS limit`
      assert.deepStrictEqual(yield* sql.withTransaction(limit), [{ limit: "7s" }])
      assert.notDeepEqual(yield* limit, [{ limit: "7s" }])
    }).pipe(withClient({ max: 1, prepare: false, statementTimeout: "7 seconds" }))
  )

  it.effect("without `prepare`, a transaction may set its isolation level first, and has its timeouts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql.withTransaction(
        Effect.andThen(
          sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.unprepared,
          sql`SELECT current_setting('transaction_isolation') AS level, current_setting('statement_timeout') AS limit`
        )
      )
      assert.deepStrictEqual(rows, [{ level: "repeatable read", limit: "7s" }])
      const values = sql.withTransaction(sql`SELECT current_setting('statement_timeout')`.values)
      assert.deepStrictEqual(yield* values, [["7s"]])
    }).pipe(withClient({ max: 1, prepare: false, statementTimeout: "7 seconds" }))
  )

  it.effect("a prepared statement works after a change of its table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE changing (id integer)`
      yield* sql`INSERT INTO changing VALUES (1)`
      const read = sql`SELECT * FROM changing WHERE id = ${1}`
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(yield* read, [{ id: 1 }])
      yield* sql`ALTER TABLE changing ADD COLUMN name text DEFAULT 'new'`
      for (let i = 0; i < 3; i++) assert.deepStrictEqual(yield* read, [{ id: 1, name: "new" }])
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("a session has the time zone UTC and its timeouts", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS statement,
          current_setting('idle_in_transaction_session_timeout') AS pause,
          current_setting('application_name') AS name`
      assert.deepStrictEqual(row, { zone: "UTC", statement: "30s", pause: "1min", name: "livery" })
    })
  )

  it.effect("values are read as the types of the domain", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        SELECT 9007199254740991::int8 AS big, ARRAY[1, NULL]::int8[] AS bigs, 12.50::numeric AS amount,
          ARRAY[0.10]::numeric[] AS amounts, DATE '2026-03-29' AS day, ARRAY[DATE '2026-03-29'] AS days,
          TIMESTAMP '2026-03-29 02:30:00' AS local, TIMESTAMPTZ '2026-03-29 02:30:00.123+02' AS instant,
          '{"a": [1]}'::jsonb AS document, '[1]'::json AS list, NULL::int8 AS nothing, true AS flag`
      assert.deepStrictEqual(row, {
        big: Number.MAX_SAFE_INTEGER,
        bigs: [1, null],
        amount: "12.50",
        amounts: ["0.10"],
        day: "2026-03-29",
        days: ["2026-03-29"],
        local: "2026-03-29 02:30:00",
        instant: new Date("2026-03-29T00:30:00.123Z"),
        document: { a: [1] },
        list: [1],
        nothing: null,
        flag: true
      })
    })
  )

  it.effect("an integer that is no safe number is an error of its statement alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const large = sql`SELECT 9007199254740993::int8 AS n`
      const error = yield* Effect.flip(large)
      assert.strictEqual(error.reason._tag, "UnknownError")
      assert.include(error.message, "9007199254740993")
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }).pipe(withClient({ max: 1 }))
  )

  it.effect("instants are sent and read exactly, to the millisecond", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const instants = Array.from({ length: 1000 }, (_, ms) => new Date(Date.UTC(2026, 2, 29, 0, 59, 59, ms)))
      instants.push(
        new Date("1850-01-01T00:00:00.001Z"),
        new Date("0099-06-01T00:00:00Z"),
        new Date("9999-12-31T23:59:59.999Z")
      )
      for (const instant of instants) {
        const [row] = yield* sql<{ at: Date; text: string }>`
          SELECT ${instant}::timestamptz AS at, to_char(${instant}::timestamptz, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS text`
        assert.strictEqual(row?.text, instant.toISOString())
        assert.strictEqual(row?.at.getTime(), instant.getTime())
      }
    })
  )
})
