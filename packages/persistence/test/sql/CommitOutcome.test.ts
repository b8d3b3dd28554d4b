import { assert, describe, it } from "@effect/vitest"
import { faultOf } from "@livery/domain"
import { Effect, Exit, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import type { DatabaseProxy, Passage } from "../../../../test/support/DatabaseProxy.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer, type PgOptions } from "../../src/sql/connections/PgClient.ts"
import { transactionMark } from "../../src/sql/transactions/TransactionMark.ts"

interface Place {
  readonly proxy: DatabaseProxy
  /** The client under test, whose connections the proxy may break. */
  readonly sql: SqlClient.SqlClient
  /** Inserts a row, and marks its transaction. */
  readonly add: (id: number) => Effect.Effect<unknown, SqlError.SqlError>
  /** The ids of the committed rows. */
  readonly ids: Effect.Effect<ReadonlyArray<number>, SqlError.SqlError>
}

const place = <A, E>(
  body: (place: Place) => Effect.Effect<A, E>,
  options: Partial<PgOptions> = {},
  prepared = "SELECT"
): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    const { direct, proxy, url } = yield* TestDatabase.proxied
    const observer = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(pgLayer({ url: direct })))
    const sql = yield* Effect.provide(
      SqlClient.SqlClient,
      yield* Layer.build(Layer.fresh(pgLayer({ url, max: 2, ...options })))
    )
    yield* observer.unsafe(prepared)
    yield* observer`CREATE TABLE added (id integer PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`
    return yield* body({
      proxy,
      sql,
      add: (id) => sql`INSERT INTO added VALUES (${id}) RETURNING id, ${transactionMark(sql)}`,
      ids: Effect.map(observer<{ id: number }>`SELECT id FROM added ORDER BY id`, (rows) =>
        rows.map(({ id }) => id)
      )
    })
  }).pipe(Effect.scoped)

/** Applies a fault once, to the next statement that begins with this text. */
const once = (proxy: DatabaseProxy, statement: string, passage: Passage) => {
  proxy.passage = (text) => {
    if (!text.startsWith(statement)) return "pass"
    proxy.passage = () => "pass"
    return passage
  }
}

const faultIn = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isFailure(exit) ? faultOf(exit.cause)?._tag : undefined

describe("a COMMIT whose answer is lost", () => {
  it.live("is a success if the server carried it out", () =>
    place(({ add, ids, proxy, sql }) =>
      Effect.gen(function* () {
        const committed = yield* Ref.make(0)
        once(proxy, "COMMIT", "lose the answer")
        yield* sql.withTransaction(
          Effect.andThen(add(1), sql.afterCommit(Ref.update(committed, (n) => n + 1)))
        )
        assert.deepStrictEqual(yield* ids, [1])
        assert.strictEqual(yield* Ref.get(committed), 1)
        yield* sql.withTransaction(add(2))
        assert.deepStrictEqual(yield* ids, [1, 2])
      })
    )
  )

  it.live("is a failure that is safe to retry if the server did not receive it", () =>
    place(({ add, ids, proxy, sql }) =>
      Effect.gen(function* () {
        once(proxy, "COMMIT", "cut")
        const exit = yield* Effect.exit(sql.withTransaction(add(1)))
        assert.strictEqual(faultIn(exit), "Unavailable")
        assert.deepStrictEqual(yield* ids, [])
        yield* sql.withTransaction(add(1))
        assert.deepStrictEqual(yield* ids, [1])
      })
    )
  )

  it.live("has an unknown outcome if no connection can query it", () =>
    place(
      ({ add, ids, proxy, sql }) =>
        Effect.gen(function* () {
          yield* sql`SELECT 1`
          once(proxy, "COMMIT", "lose the answer")
          proxy.admits = false
          const exit = yield* Effect.exit(sql.withTransaction(add(1)))
          assert.strictEqual(faultIn(exit), "OutcomeUnknown")
          assert.deepStrictEqual(yield* ids, [1])
        }),
      { outcomeTimeout: "50 millis" }
    )
  )

  it.live("has its outcome queried also if no statement returned the transaction's mark", () =>
    place(({ ids, proxy, sql }) =>
      Effect.gen(function* () {
        once(proxy, "COMMIT", "lose the answer")
        yield* sql.withTransaction(sql`INSERT INTO added VALUES (1)`)
        assert.deepStrictEqual(yield* ids, [1])
        once(proxy, "COMMIT", "cut")
        const exit = yield* Effect.exit(sql.withTransaction(sql`INSERT INTO added VALUES (2)`))
        assert.strictEqual(faultIn(exit), "Unavailable")
        assert.deepStrictEqual(yield* ids, [1])
      })
    )
  )

  it.live("has an unknown outcome on a distributed database, whether the server carried it out or not", () =>
    Effect.forEach(["lose the answer", "cut"] as const, (passage) =>
      place(
        ({ add, proxy, sql }) =>
          Effect.gen(function* () {
            const seen: Array<string> = []
            proxy.passage = (statement) => {
              seen.push(statement.split(" ")[0] ?? "")
              return statement.startsWith("COMMIT") ? passage : "pass"
            }
            for (const write of [add(1), sql`INSERT INTO added VALUES (2)`]) {
              const exit = yield* Effect.exit(sql.withTransaction(write))
              assert.strictEqual(faultIn(exit), "OutcomeUnknown")
            }
            // Each transaction has a new session, which reads its settings first.
            const statements = ["SELECT", "BEGIN", "INSERT", "COMMIT"]
            assert.deepStrictEqual(seen, [...statements, ...statements])
          }),
        {},
        "CREATE TABLE pg_dist_partition (logicalrelid regclass)"
      )
    )
  )

  it.live("has its outcome queried again if the connection of the query breaks", () =>
    place(({ add, ids, proxy, sql }) =>
      Effect.gen(function* () {
        const queries: Array<Passage> = ["cut", "pass"]
        proxy.passage = (text) => {
          if (text.startsWith("COMMIT")) return "lose the answer"
          return text.startsWith("SELECT CASE") ? (queries.shift() ?? "pass") : "pass"
        }
        yield* sql.withTransaction(add(1))
        assert.deepStrictEqual(yield* ids, [1])
        assert.deepStrictEqual(queries, [])
      })
    )
  )

  it.live("adds no statement to a transaction with a mark, nor to one that only reads", () =>
    place(({ add, proxy, sql }) =>
      Effect.gen(function* () {
        yield* sql`SELECT 1`
        const seen: Array<string> = []
        proxy.passage = (statement) => {
          seen.push(statement.split(" ")[0] ?? "")
          return "pass"
        }
        yield* sql.withTransaction(add(1))
        yield* sql.withTransaction(sql`SELECT id FROM added FOR UPDATE`)
        assert.deepStrictEqual(seen, ["BEGIN", "INSERT", "COMMIT", "BEGIN", "SELECT", "COMMIT"])
      })
    )
  )

  it.live("is not confused with a COMMIT that the server refuses", () =>
    place(({ add, sql }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(sql.withTransaction(Effect.andThen(add(1), add(1))))
        assert.strictEqual(error._tag === "SqlError" && error.reason._tag, "UniqueViolation")
      })
    )
  )
})

describe("a statement outside of a transaction whose answer is lost", () => {
  it.live("has an unknown outcome if it writes", () =>
    place(({ add, ids, proxy }) =>
      Effect.gen(function* () {
        once(proxy, "INSERT", "lose the answer")
        assert.strictEqual(faultIn(yield* Effect.exit(add(1))), "OutcomeUnknown")
        assert.deepStrictEqual(yield* ids, [1])
      })
    )
  )

  it.live("is safe to retry if it reads, or if it was not sent", () =>
    place(({ add, proxy, sql }) =>
      Effect.gen(function* () {
        once(proxy, "SELECT", "cut")
        assert.strictEqual(faultIn(yield* Effect.exit(sql`SELECT id FROM added`)), "Unavailable")
        proxy.admits = false
        proxy.cutAll()
        yield* Effect.exit(sql`SELECT 1`)
        assert.strictEqual(faultIn(yield* Effect.exit(add(1))), "Unavailable")
      })
    )
  )
})
