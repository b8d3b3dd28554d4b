import * as Domain from "@livery/domain"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { TestPersistence } from "../support/TestPersistence.ts"

const { assignmentMachine, bookingMachine, deliveryMachine, invoiceMachine, quoteMachine } = Domain

/**
 * The states that the column `status` of each table may have. `invoices` has no check since drafts were added: the previous
 * version runs beside an upgrade, which therefore drops a check and adds none.
 */
const statesOfTables = {
  assignments: assignmentMachine.states,
  bookings: bookingMachine.states,
  businesses: Domain.businessMachine.states,
  quotes: quoteMachine.states,
  saas_invoices: Domain.BilledStatus.literals,
  trips: Domain.tripMachine.states,
  webhook_deliveries: deliveryMachine.states,
  webhook_delivery_history: deliveryMachine.states,
  webhook_endpoints: Domain.endpointMachine.states
}

const liveAssignments = assignmentMachine.states.filter((status) => Domain.isLive({ status }))

/** The states of the rows of each partial index whose condition compares `status`. */
const statesOfIndexes = {
  assignments_en_route: assignmentMachine.states.filter((status) => Domain.isUnderWay({ status })),
  assignments_long: liveAssignments,
  assignments_standing: liveAssignments,
  assignments_windows: liveAssignments,
  bookings_to_expire: bookingMachine.states.filter((status) => bookingMachine.can(status, "expired")),
  // The conditions of these two ask whether a line has a status, and compare it with none.
  import_lines_by_status: [],
  import_lines_waiting: [],
  invoices_open_by_due_day: invoiceMachine.states.filter(Domain.isOpenInvoice),
  invoices_to_remind: invoiceMachine.states.filter(Domain.isOpenInvoice),
  quotes_to_expire: quoteMachine.states.filter(Domain.isOpenQuote),
  webhook_deliveries_failed: ["failed"],
  webhook_deliveries_waiting: deliveryMachine.states.filter((status) => !deliveryMachine.isTerminal(status))
}

/** The states in each condition of the form `status = …` or `status IN (…)`. */
const statesIn = (condition: string) =>
  [
    ...(
      /\bstatus = (?:ANY \(ARRAY\[([^\]]*)\]\)|('[^']*'))/u.exec(condition)?.slice(1).join("") ?? ""
    ).matchAll(/'([^']*)'/gu)
  ].map(([, state]) => state)

layer(TestPersistence)("the statuses of the schema", (it) => {
  it.effect("are the states of the domain's machines", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ table: string; condition: string }>`
        SELECT c.conrelid::regclass::text AS table, pg_get_constraintdef(c.oid) AS condition
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
        WHERE c.contype = 'c' AND a.attname = 'status' AND c.connamespace = 'public'::regnamespace ORDER BY 1`
      assert.deepStrictEqual<unknown>(
        Object.fromEntries(rows.map(({ condition, table }) => [table, statesIn(condition)])),
        statesOfTables
      )
    })
  )

  it.effect("limit each partial index to the rows for which the domain's predicate holds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string; condition: string }>`
        SELECT i.indexrelid::regclass::text AS name, pg_get_expr(i.indpred, i.indrelid) AS condition
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
        WHERE t.relnamespace = 'public'::regnamespace AND pg_get_expr(i.indpred, i.indrelid) ~ '\\mstatus\\M' ORDER BY 1`
      assert.deepStrictEqual<unknown>(
        Object.fromEntries(rows.map(({ condition, name }) => [name, statesIn(condition)])),
        statesOfIndexes
      )
    })
  )
})

it("no repository compares or sets a status by a literal of its own", () => {
  const states = [...new Set(Object.values(statesOfTables).flat())].join("|")
  const spelled = new RegExp(`\\bstatus *(?:=|<>|IN|in) *\\(?'(?:${states})'`, "u")
  const sources = globSync("packages/persistence/src/**/*.ts", {
    exclude: (path) => path.includes("migrations")
  })
  assert.isNotEmpty(sources)
  assert.isEmpty(sources.filter((path) => spelled.test(readFileSync(path, "utf8"))))
})
