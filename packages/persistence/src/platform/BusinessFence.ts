/** The triggers that refuse changes of one business while it is copied to another installation. */
import type { BusinessId } from "@livery/domain"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../migrations/Tables.ts"
import { execute } from "../sql/rows/Rows.ts"
import { setLockTimeout } from "./Generations.ts"

/** Tables with what changes them. Workers note the use of keys and the failures of endpoints, for many businesses at once. */
const partly: Readonly<Record<string, string>> = {
  businesses: "UPDATE",
  api_keys: "INSERT OR DELETE",
  card_intents: "INSERT",
  // The event feed continues at the new home after the last event here.
  events: "INSERT",
  webhook_endpoints: "INSERT OR UPDATE OF url, events, sealed_secret, retired_secrets, deleted_at OR DELETE"
}

const fenced: ReadonlyArray<readonly [table: string, events: string]> = [
  ...Object.entries(partly),
  ...tables.flatMap(({ moves, name }): ReadonlyArray<readonly [string, string]> =>
    moves === undefined ? [] : [[name, "INSERT OR UPDATE OR DELETE"]]
  )
]

/** A transaction that may change a business while it is fenced. */
export const allowChanges = "SET LOCAL livery.moves = 'on'"

/**
 * The two functions of `BusinessMoves`. The creation of a trigger waits for the transactions that have changed its table. While it
 * waits, changes of other businesses wait too, so that it gives up after half a second and tries again.
 */
export const makeBusinessFence = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const onTable = (statements: ReadonlyArray<string>) =>
    sql
      .withTransaction(
        Effect.forEach([setLockTimeout, ...statements], (text) => sql.unsafe(text).unprepared, {
          discard: true
        })
      )
      .pipe(
        Effect.retry({
          schedule: Schedule.spaced("200 millis"),
          while: ({ reason }) => reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"
        }),
        execute
      )

  const nameOf = (businessId: BusinessId, kind: "rows" | "gone") => `moving_${businessId}_${kind}`

  const pause = (businessId: BusinessId) =>
    Effect.forEach(
      fenced,
      ([table, events]) => {
        const kept = events.replace(/ OR DELETE$/u, "")
        const trigger = (kind: "rows" | "gone", when: string, row: "NEW" | "OLD") =>
          `CREATE OR REPLACE TRIGGER ${nameOf(businessId, kind)} BEFORE ${when} ON ${table} FOR EACH ROW
           WHEN (${row}.business_id = ${businessId}) EXECUTE FUNCTION refuse_while_moving()`
        return onTable([
          trigger("rows", kept, "NEW"),
          ...(kept === events ? [] : [trigger("gone", "DELETE", "OLD")])
        ])
      },
      { discard: true }
    )

  const unpause = (businessId: BusinessId) =>
    Effect.forEach(
      fenced,
      ([table]) =>
        onTable(
          (["rows", "gone"] as const).map(
            (kind) => `DROP TRIGGER IF EXISTS ${nameOf(businessId, kind)} ON ${table}`
          )
        ),
      { discard: true }
    )

  return { pause, unpause }
})
