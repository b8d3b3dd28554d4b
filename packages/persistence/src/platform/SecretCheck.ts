/** A sealed value in the database that shows whether a secret is the one that the data was sealed with. */
import { SecretBox } from "@livery/domain"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"

const knownText = "livery"

const readSealed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ sealed: string }>`SELECT sealed FROM secret_check`
  return row?.sealed
})

/** Whether data was sealed with a secret already. If so, no other secret can be used. */
export const hasSecret = Effect.map(readSealed, (sealed) => sealed !== undefined)

/** Seals the value anew, under the current secret of `SecretBox`. */
export const reseal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox
  yield* sql`UPDATE secret_check SET sealed = ${yield* box.seal(knownText)}`
})

/**
 * Whether one of the secrets of `SecretBox` is the one that the data was sealed with. If no data was sealed yet, this
 * process's secret becomes that one; of several processes that start at the same time, the first one's does.
 */
export const isSecretOfData = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox
  const before = yield* readSealed
  if (before === undefined)
    yield* sql`INSERT INTO secret_check (sealed) VALUES (${yield* box.seal(knownText)}) ON CONFLICT DO NOTHING`
  const sealed = before ?? (yield* readSealed) ?? ""
  const opened = yield* Effect.exit(box.open(sealed))
  return Exit.isSuccess(opened) && opened.value === knownText
})
