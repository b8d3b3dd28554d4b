import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assignment, driverOf } from "../support/Drivers.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const stop = (address: string, more: object = {}) => ({ address, lat: 47.4, lng: 8.5, ...more })

/**
 * A driver's job with three stops, and the functions that report on it: as the account, with the token, and as the
 * operator.
 */
const setUp = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId, { driverId: driver.driverId })
  const send = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { credential: acme.key, ...(body === undefined ? {} : { body }) })
  const path = `/trips/${job.tripId}`
  const reportBy = {
    account: (body: object) => server.send("PATCH", `/me/driver${path}`, { credential: driver.token, body }),
    token: (body: object) => server.send("POST", `/driver/status?token=${job.token}`, { body }),
    operator: (body: object) => send("PATCH", `${path}/driver-status`, body)
  }
  const stops = [stop("One"), stop("Two"), stop("Three")]
  record(yield* send("PATCH", path, { stops }))
  /** The stops that the driver has reached, from the trip's record. */
  const reached = Effect.map(send("GET", path), (answer) => {
    const drivers = record(answer)["drivers"] as ReadonlyArray<{
      milestones: ReadonlyArray<{ milestone: string; stop_index: number | null }>
    }>
    return drivers.flatMap(({ milestones }) =>
      milestones.map(({ milestone, stop_index }) => [milestone, stop_index])
    )
  })
  const setStops = (wanted: unknown) => send("PATCH", path, { stops: wanted })
  return { acme, job, path, reached, send, setStops, stops, reportBy }
})

const arrived = (stop_index: unknown, more: object = {}) => ({
  milestone: "arrived_at_stop",
  stop_index,
  ...more
})

const wrong = (field: string, issue: string) => [{ field, issue }]

layer(Ports)("the milestone of a stop", (it) => {
  it.effect.each(["account", "token", "operator"] as const)(
    "reported by %s is recorded with time and place, for each stop once",
    (by) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { path, reached, send, reportBy } = yield* setUp(server)
        const report = reportBy[by]
        record(yield* report({ status: "en_route", milestone: "arrived_at_pickup" }))
        const place = { lat: 47.41, lng: 8.51, at: "2026-11-20T09:20:00Z" }
        const first = yield* report(arrived(1, place))
        assert.include(
          first.text,
          JSON.stringify({ milestone: "arrived_at_stop", at: place.at, lat: 47.41, lng: 8.51, stop_index: 1 })
        )
        record(yield* report(arrived(0, { at: "2026-11-20T09:10:00Z" })))
        const again = yield* report(arrived(1, { lat: 1, lng: 2 }))
        assert.strictEqual(again.status, 200)
        assert.notInclude(again.text, '"lat":1,')
        assert.deepStrictEqual(yield* reached, [
          ["arrived_at_stop", 0],
          ["arrived_at_stop", 1],
          ["arrived_at_pickup", null]
        ])
        const timeline = records(yield* send("GET", `${path}/timeline`))
        assert.deepStrictEqual(
          timeline
            .filter(({ change }) => change === "milestone_reached")
            .map(({ after }) => (after as { stop_index: number | null }).stop_index),
          [null, 1, 0]
        )
        assert.deepStrictEqual(
          timeline.filter(({ change }) => change === "milestone_reached")[1]?.["after"],
          { milestone: "arrived_at_stop", ...place, stop_index: 1 }
        )
      })
  )

  it.effect("is in the trip's record of later events", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, reportBy } = yield* setUp(server)
      record(yield* reportBy.token({ status: "en_route", ...arrived(2) }))
      record(yield* reportBy.token({ status: "completed" }))
      const sql = yield* SqlClient.SqlClient
      const [completed] = yield* sql<{ body: string }>`
        SELECT body FROM events WHERE business_id = ${acme.businessId} AND event_type = 'trip.completed'`
      assert.match(completed?.body ?? "", /"milestone":"arrived_at_stop".{1,80}"stop_index":2/u)
    })
  )

  it.effect.each(["account", "token", "operator"] as const)(
    "reported by %s is refused unless the driver is under way and the trip has that stop",
    (by) =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { reached, reportBy } = yield* setUp(server)
        const refused = (body: object) =>
          Effect.map(reportBy[by](body), (answer) => refusedAs(answer, 422, "invalid_request"))
        assert.deepStrictEqual(yield* refused(arrived(0)), wrong("milestone", "illegal_transition"))
        record(yield* reportBy[by]({ status: "en_route" }))
        for (const [body, issues] of [
          [{ milestone: "arrived_at_stop" }, wrong("stop_index", "required")],
          [arrived(null), wrong("stop_index", "required")],
          [arrived(3), wrong("stop_index", "out_of_range")],
          [arrived(50), wrong("stop_index", "out_of_range")],
          [arrived(-1), wrong("stop_index", "out_of_range")],
          [arrived(0.5), wrong("stop_index", "invalid")],
          [arrived("0"), wrong("stop_index", "invalid")],
          [{ milestone: "no_show", stop_index: 0 }, wrong("stop_index", "invalid")],
          [{ status: "en_route", stop_index: 0 }, wrong("stop_index", "invalid")],
          [arrived(0, { lat: 47 }), wrong("lng", "required")]
        ] as const)
          assert.deepStrictEqual(yield* refused(body), issues, JSON.stringify(body))
        assert.deepStrictEqual(yield* reached, [])
      })
  )

  it.effect("does not reach the trips of other businesses", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { acme, job } = yield* setUp(server)
      const other = yield* setUp(server)
      const answer = yield* server.send("PATCH", `/trips/${other.job.tripId}/driver-status`, {
        credential: acme.key,
        body: { status: "en_route", ...arrived(0) }
      })
      assert.strictEqual(answer.status, 404)
      assert.notStrictEqual(job.tripId, other.job.tripId)
      assert.deepStrictEqual(yield* other.reached, [])
    })
  )

  it.effect("keeps its stop where it is: other stops, contacts and minutes may change", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { reached, setStops, stops, reportBy } = yield* setUp(server)
      const [one, two, three] = [stops[0], stops[1], stops[2]]
      record(yield* reportBy.token({ status: "en_route", ...arrived(1) }))
      for (const wanted of [
        [],
        [one],
        [two, one, three],
        [one, stop("Elsewhere"), three],
        [one, { ...two, lat: 46 }, three],
        null
      ])
        assert.deepStrictEqual(
          refusedAs(yield* setStops(wanted), 422, "invalid_request"),
          wrong("stops.1", "invalid"),
          JSON.stringify(wanted)
        )
      for (const wanted of [
        [one, { ...two, minutes: 20, contact: "Zoe" }, three],
        [stop("Before"), two, stop("After"), stop("Last")],
        [one, two]
      ])
        record(yield* setStops(wanted))
      assert.deepStrictEqual(yield* reached, [["arrived_at_stop", 1]])
      assert.deepStrictEqual(
        refusedAs(yield* reportBy.token(arrived(2)), 422, "invalid_request"),
        wrong("stop_index", "out_of_range")
      )
    })
  )

  it.effect("is stored once, and never for a stop that a concurrent change removes", () =>
    Effect.gen(function* () {
      const servers = [yield* openServer(), yield* openServer()] as const
      for (let round = 0; round < 4; round++) {
        const { path, reached, send, setStops, stops, reportBy } = yield* setUp(servers[0])
        record(yield* reportBy.operator({ status: "en_route" }))
        const answers = yield* Effect.all(
          [
            reportBy.token(arrived(2)),
            reportBy.account(arrived(2)),
            setStops(stops.slice(0, 2)),
            reportBy.operator(arrived(2)),
            reportBy.token(arrived(0))
          ],
          { concurrency: "unbounded" }
        )
        for (const { fault, status, text } of answers) assert.include([200, 422], status, fault ?? text)
        const isReached = (yield* reached).some(([, index]) => index === 2)
        assert.lengthOf(yield* reached, isReached ? 2 : 1)
        const { stops: left } = record(yield* send("GET", path))
        assert.lengthOf(left as ReadonlyArray<unknown>, isReached ? 3 : 2)
      }
    })
  )
})
