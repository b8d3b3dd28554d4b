/** Nodes that carry out idempotent requests, each with its own client of one database. */
import { BusinessId, Cryptography, type IdempotentRequest, Idempotency, Transaction } from "@livery/domain"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { PgClient, Ports } from "@livery/persistence"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as IdempotencyStorePg from "../../src/platform/IdempotencyStorePg.ts"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

export const boxOf = (secret: string) =>
  AesSecretBox.layer.pipe(Layer.provide(SecretKeys.layer(Redacted.make(secret)).pipe(Layer.orDie)))

const Box = boxOf("a secret for tests, of no use to anyone")

/**
 * A node with its own client of the database. Its work adds one line to the audit log. It waits longer for a connection than
 * a server would, so that no outcome depends on the speed of the machine.
 */
export const node = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  timeout = Duration.seconds(10),
  box: typeof Box = Box,
  max?: number
) {
  const built = yield* Layer.build(
    Layer.fresh(
      Idempotency.layer.pipe(
        Layer.provide([IdempotencyStorePg.layerWaiting(timeout), Cryptography.layerWebCrypto]),
        Layer.provide(box),
        Layer.provideMerge(Ports.Transaction),
        Layer.provideMerge(
          PgClient.layer({ url, acquireTimeout: "1 minute", ...(max === undefined ? {} : { max }) })
        )
      )
    )
  )
  const { idempotency, sql, transaction } = yield* Effect.all({
    idempotency: Idempotency,
    sql: SqlClient.SqlClient,
    transaction: Transaction
  }).pipe(Effect.provideContext(built))
  const write = Effect.orDie(
    Effect.asVoid(
      sql`INSERT INTO audit_log (at, actor, action, subject) VALUES (now(), 'test', 'done', 'it')`
    )
  )
  const done = Effect.map(Effect.orDie(sql`SELECT FROM audit_log`), (rows) => rows.length)
  const response = '{"data":"the secret answer","status":201}'
  const work = Effect.as(write, { result: "worked", response })
  return { response, done, idempotency, sql, transaction, work, write }
})

/** A booking of a business. */
export const request: IdempotentRequest = {
  scope: "business",
  business_id: BusinessId.make(1),
  tenant: "business:1",
  callsOut: false,
  caller: "business:1",
  key: "k",
  content: "POST /trips\n{}"
}

/** Two nodes of one installation. */
export const nodes = Effect.fnUntraced(function* (timeout?: Duration.Duration) {
  const { url } = yield* TestDatabase.create
  return { one: yield* node(url, timeout), other: yield* node(url, timeout) }
})
