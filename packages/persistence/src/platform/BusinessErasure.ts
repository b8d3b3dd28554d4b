/** The deletion of the rows of a business whose home is another installation. */
import type { BusinessId } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../migrations/Tables.ts"
import { execute } from "../sql/rows/Rows.ts"
import { allowChanges } from "./BusinessFence.ts"

/** Tables of businesses, each before those that it refers to. */
const deleted = tables.filter(({ kind }) => kind === "business").toReversed()

/** The global tables with rows of a business. */
const globals = ["api_keys", "business_members", "driver_accounts"]

/** Makes the function that deletes all rows of a business but its own; `withAccess` also its API keys and members. */
export const makeBusinessErasure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (businessId: BusinessId, { withAccess }: { withAccess: boolean }) {
    const names = [...deleted.map(({ history, name }) => history ?? name), ...(withAccess ? globals : [])]
    for (const name of names)
      yield* execute(
        sql.withTransaction(
          Effect.forEach(
            [
              allowChanges,
              "SET LOCAL statement_timeout = 0",
              `DELETE FROM ${name} WHERE business_id = ${businessId}`
            ],
            (text) => sql.unsafe(text).unprepared,
            { discard: true }
          )
        )
      )
  })
})
