import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dispatcher } from "../support/Dispatchers.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const opened = Effect.fnUntraced(function* (server: TestServer) {
  const it = yield* dispatcher(server)
  const assign = (id: number, driver_ids: ReadonlyArray<number>) =>
    Effect.map(it.send("POST", `/trips/${id}/drivers`, { driver_ids }), record)
  const report = (id: number, body: object) =>
    Effect.map(it.send("PATCH", `/trips/${id}/driver-status`, body), record)
  const patch = (id: number, body: object) => Effect.map(it.send("PATCH", `/trips/${id}`, body), record)
  const reopen = (id: number, body: object = { reason: "Completed by mistake" }) =>
    it.send("POST", `/trips/${id}/reopen`, body)
  return { ...it, assign, report, patch, reopen }
})

layer(Ports)("POST /trips/{id}/reopen", (it) => {
  it.effect("makes a completed trip confirmed, whose driver can drive it again", () =>
    Effect.gen(function* () {
      const { assign, book, drivers, newEvents, patch, reopen, report, send } = yield* opened(
        yield* openServer()
      )
      const trip = yield* book()
      const [grace] = drivers
      yield* assign(trip, [grace])
      yield* report(trip, { status: "en_route" })
      yield* patch(trip, { status: "completed" })
      yield* newEvents
      const answer = yield* reopen(trip)
      assert.strictEqual(answer.status, 200)
      const reopened = record(answer)
      const former = {
        driver_id: grace,
        name: "Grace",
        status: "completed",
        car_id: null,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        milestones: []
      }
      assert.deepInclude(reopened, {
        status: "confirmed",
        driver_status: "unassigned",
        completed_at: null,
        driver_ids: [],
        drivers: [former],
        warnings: []
      })
      assert.deepStrictEqual(yield* newEvents, ["trip.updated"])
      const timeline = records(yield* send("GET", `/trips/${trip}/timeline?per_page=100`))
      assert.deepInclude(timeline.at(-1), { change: "status_changed", driver_id: null })
      assert.deepInclude(timeline.at(-1)?.["after"], { status: "confirmed", reason: "Completed by mistake" })
      const again = yield* assign(trip, [grace])
      assert.deepInclude(again["trip"], {
        driver_ids: [grace],
        drivers: [former, { ...former, status: "assigned" }]
      })
      yield* report(trip, { status: "en_route" })
      assert.deepInclude(yield* report(trip, { status: "completed" }), {
        status: "completed",
        driver_ids: [grace],
        drivers: [former, former]
      })
      assert.deepStrictEqual(yield* newEvents, [
        "driver.assigned",
        "trip.updated",
        "trip.updated",
        "trip.completed"
      ])
    })
  )

  it.effect("makes a cancelled trip confirmed, without reason and fee of the cancellation", () =>
    Effect.gen(function* () {
      const { book, patch, reopen } = yield* opened(yield* openServer())
      const trip = yield* book()
      yield* patch(trip, { status: "cancelled", cancel_reason: "no_show", cancellation_fee: 20 })
      assert.deepInclude(record(yield* reopen(trip)), {
        status: "confirmed",
        cancel_reason: null,
        cancelled_by: null,
        cancellation_fee: null,
        cancelled_at: null
      })
    })
  )

  it.effect("is refused for a trip that has not ended, is on an invoice, or is another business's", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { book, businessId, newEvents, patch, reopen, send } = yield* opened(server)
      const sql = yield* SqlClient.SqlClient
      const trip = yield* book()
      refusedAs(yield* reopen(trip), 422, "invalid_request")
      yield* patch(trip, { status: "completed" })
      assert.deepStrictEqual(refusedAs(yield* reopen(trip, {}), 422, "invalid_request"), [
        { field: "reason", issue: "required" }
      ])
      refusedAs(yield* send("PATCH", `/trips/${trip}`, { status: "confirmed" }), 422, "invalid_request")
      const stranger = yield* business(server)
      const foreign = { credential: stranger.key, body: { reason: "x" } }
      refusedAs(yield* server.send("POST", `/trips/${trip}/reopen`, foreign), 404, "not_found")
      yield* sql`
        WITH invoice AS (
          INSERT INTO invoices (business_id, number, payment_hash, currency, created_at, updated_at)
          VALUES (${businessId}, 'INV-1', 'hash', 'USD', now(), now()) RETURNING invoice_id)
        UPDATE trips SET invoice_id = (SELECT invoice_id FROM invoice) WHERE trip_id = ${trip}`
      yield* newEvents
      refusedAs(yield* reopen(trip), 409, "conflict")
      assert.deepStrictEqual(yield* newEvents, [])
      assert.strictEqual(record(yield* send("GET", `/trips/${trip}`))["status"], "completed")
    })
  )

  it.effect("needs a confirmation if the car has got another trip meanwhile and clashes are enforced", () =>
    Effect.gen(function* () {
      const { book, patch, reopen, send } = yield* opened(yield* openServer())
      record(yield* send("PATCH", "/settings/business", { clash_policy: "enforce" }))
      const { car_id } = record(yield* send("POST", "/cars", { name: "Black" }))
      const trip = yield* book({ car_id })
      yield* patch(trip, { status: "cancelled" })
      const other = yield* book({ car_id, customer_name: "Bea" })
      assert.deepStrictEqual<unknown>(refusedAs(yield* reopen(trip), 409, "confirmation_required"), [
        { type: "car_clash", car_id, trip_id: other }
      ])
      const forced = record(yield* reopen(trip, { reason: "Both fit", force: true }))
      assert.deepStrictEqual(forced["status"], "confirmed")
    })
  )
})

layer(Ports)("the allowed transitions of a trip", (it) => {
  it.effect("are those that the reading operator may set", () =>
    Effect.gen(function* () {
      const { assign, book, drivers, patch, report, send } = yield* opened(yield* openServer())
      const offered = (id: number) =>
        Effect.map(send("GET", `/trips/${id}`), (answer) => record(answer)["allowed_transitions"])
      const trip = yield* book()
      assert.deepStrictEqual(yield* offered(trip), ["completed", "cancelled"])
      refusedAs(yield* send("PATCH", `/trips/${trip}`, { status: "in_progress" }), 422, "invalid_request")
      yield* assign(trip, [drivers[0]])
      yield* report(trip, { status: "en_route" })
      assert.deepStrictEqual(yield* offered(trip), ["completed", "cancelled"])
      yield* patch(trip, { status: "completed" })
      assert.deepStrictEqual(yield* offered(trip), [])
    })
  )
})

layer(Ports)("drivers who lose a trip", (it) => {
  it.effect("are named in the events, and stay in the trip's drivers with their reports", () =>
    Effect.gen(function* () {
      const { assign, book, businessId, drivers, patch, report, send } = yield* opened(yield* openServer())
      const sql = yield* SqlClient.SqlClient
      const [grace, ada] = drivers
      const dataOf = (type: string) =>
        Effect.map(
          sql<{ readonly body: string }>`
            SELECT body FROM events WHERE business_id = ${businessId} AND event_type = ${type}
            ORDER BY sequence DESC LIMIT 1`,
          ([event]) =>
            (JSON.parse(event?.body ?? "{}") as { readonly data?: Readonly<Record<string, unknown>> }).data
        )
      const trip = yield* book()
      yield* assign(trip, [grace])
      const changed = (driver_ids: ReadonlyArray<unknown>, added: object, removed: object) => ({
        trip_id: trip,
        driver_ids,
        assignments: driver_ids.map((driver_id) => ({ driver_id, car_id: null })),
        added_driver_ids: added,
        removed_driver_ids: removed,
        declined_driver_ids: []
      })
      assert.deepStrictEqual<unknown>(yield* dataOf("driver.assigned"), changed([grace], [grace], []))
      yield* report(trip, { status: "en_route" })
      yield* report(trip, {
        status: "cancelled",
        milestone: "no_show",
        lat: 47,
        lng: 8,
        at: "2026-11-20T09:30:00Z"
      })
      const noShow = {
        driver_id: grace,
        name: "Grace",
        status: "cancelled",
        car_id: null,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        milestones: [{ milestone: "no_show", at: "2026-11-20T09:30:00Z", lat: 47, lng: 8, stop_index: null }]
      }
      assert.deepStrictEqual<unknown>(yield* dataOf("driver.assigned"), changed([], [], [grace]))
      const read = record(yield* send("GET", `/trips/${trip}`))
      assert.deepStrictEqual([read["driver_ids"], read["drivers"]], [[], [noShow]])
      yield* assign(trip, [ada])
      yield* assign(trip, [grace])
      assert.deepStrictEqual<unknown>(yield* dataOf("driver.assigned"), changed([grace], [grace], [ada]))
      const cancelled = yield* patch(trip, { status: "cancelled" })
      assert.deepStrictEqual(cancelled["drivers"], [
        noShow,
        {
          driver_id: ada,
          name: "Ada",
          status: "cancelled",
          car_id: null,
          accepted_at: null,
          declined_at: null,
          decline_reason: null,
          milestones: []
        },
        {
          driver_id: grace,
          name: "Grace",
          status: "cancelled",
          car_id: null,
          accepted_at: null,
          declined_at: null,
          decline_reason: null,
          milestones: []
        }
      ])
      assert.deepInclude(yield* dataOf("trip.cancelled"), {
        removed_driver_ids: [grace],
        driver_ids: [],
        drivers: cancelled["drivers"]
      })
      assert.deepStrictEqual<unknown>(yield* dataOf("driver.assigned"), changed([], [], [grace]))
    })
  )
})
