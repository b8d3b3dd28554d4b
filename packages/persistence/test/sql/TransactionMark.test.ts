import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { connectionConfigs } from "../../src/sql/connections/ConnectionConfig.ts"
import { outcomeOf, transactionMark } from "../../src/sql/transactions/TransactionMark.ts"
import { client, Database, failsAfter } from "./Database.ts"

const Live = client().pipe(Layer.provideMerge(Database.layer))

/** The mark of a transaction, which a statement returns as a text. */
const markedIn = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ mark: string }>`SELECT mark.* FROM (SELECT ${transactionMark(sql)}) AS mark (mark)`,
    ([row]) => row?.mark ?? ""
  )

const outcome = (mark: string, limit = 10_000) =>
  Effect.gen(function* () {
    const { url } = yield* Database
    const [config] = Result.getOrThrow(connectionConfigs(url, "outcome", 10_000))
    return yield* outcomeOf(Effect.succeed(config), mark, limit)
  }).pipe(failsAfter("30 seconds", "the outcome was not known in time"))

/** Runs a body while a transaction is open, with its mark and a function that ends the transaction. */
const whileOpen = <A, E, R>(body: (mark: string, commit: Effect.Effect<unknown>) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [marked, ended] = [yield* Deferred.make<string>(), yield* Deferred.make<void>()]
    const transaction = yield* Effect.forkChild(
      sql.withTransaction(
        Effect.flatMap(markedIn(sql), (mark) => Deferred.succeed(marked, mark)).pipe(
          Effect.andThen(Deferred.await(ended))
        )
      )
    )
    const commit = Effect.andThen(Deferred.succeed(ended, undefined), Fiber.await(transaction))
    return yield* Effect.ensuring(body(yield* Deferred.await(marked), commit), commit)
  })

layer(Live, { excludeTestServices: true })("the outcome of a marked transaction", (it) => {
  it.effect("is that it was committed or rolled back, once it has ended", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual(yield* outcome(yield* sql.withTransaction(markedIn(sql))), "committed")
      const failed = yield* Effect.flip(sql.withTransaction(Effect.flatMap(markedIn(sql), Effect.fail)))
      assert.strictEqual(yield* outcome(String(failed)), "rolled back")
    })
  )

  it.effect("is awaited while it runs, up to the limit", () =>
    whileOpen((mark, commit) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* outcome(mark, 100), "unknown")
        const waiting = yield* Effect.forkChild(outcome(mark))
        yield* outcome(mark, 100)
        assert.isUndefined(waiting.pollUnsafe())
        yield* commit
        assert.strictEqual(yield* Fiber.join(waiting), "committed")
      })
    )
  )

  it.effect("is unknown if the server was started at another time, or has not assigned the id yet", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [id = "", server = ""] = (yield* sql.withTransaction(markedIn(sql))).split("/")
      assert.strictEqual(yield* outcome(`${id}/1.5`), "unknown")
      assert.strictEqual(yield* outcome(`${Number(id) + 1_000_000}/${server}`), "unknown")
    })
  )
})
