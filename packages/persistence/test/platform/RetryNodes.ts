/** Nodes that carry requests out once, each with a client of its own on one database. */
import { Cryptography, type NamedRequest, SafeRetries, Transaction } from "@livery/domain"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { KeptAnswersPg, PgClient, TransactionPg } from "@livery/persistence"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

export const boxOf = (secret: string) =>
  AesSecretBox.layer.pipe(Layer.provide(SecretKeys.layer(Redacted.make(secret)).pipe(Layer.orDie)))

const Box = boxOf("a secret for tests, of no use to anyone")

/** A node: a client of the database of its own. What is done is one more line in the audit log. */
export const node = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  patience = Duration.seconds(10),
  box: typeof Box = Box
) {
  const built = yield* Layer.build(
    Layer.fresh(
      SafeRetries.layer.pipe(
        Layer.provide([KeptAnswersPg.layerWaiting(patience), Cryptography.layerWebCrypto]),
        Layer.provide(box),
        Layer.provideMerge(TransactionPg.layer),
        Layer.provideMerge(PgClient.layer({ url }))
      )
    )
  )
  const { retries, sql, transaction } = yield* Effect.all({
    retries: SafeRetries,
    sql: SqlClient.SqlClient,
    transaction: Transaction
  }).pipe(Effect.provideContext(built))
  const write = Effect.orDie(
    Effect.asVoid(
      sql`INSERT INTO audit_log (at, actor, action, subject) VALUES (now(), 'test', 'done', 'it')`
    )
  )
  const done = Effect.map(Effect.orDie(sql`SELECT FROM audit_log`), (rows) => rows.length)
  const answer = { status: 201, body: '{"data":"the secret answer"}', headers: { etag: '"1"' } }
  const work = Effect.as(write, { result: "worked", repeatable: answer })
  return { answer, done, retries, sql, transaction, work, write }
})

/** A booking of a business. */
export const request: NamedRequest = {
  door: "business",
  guest: "business:1",
  asksOthers: false,
  caller: "business:1",
  key: "k",
  content: "POST /trips\n{}"
}

/** Two nodes of one installation. */
export const nodes = Effect.fnUntraced(function* (patience?: Duration.Duration) {
  const { url } = yield* TestDatabase.create
  return { one: yield* node(url, patience), other: yield* node(url, patience) }
})
