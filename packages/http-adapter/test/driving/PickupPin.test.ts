import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { driverUnderWay, here } from "./DriverUnderWay.ts"

/** A driver under way, in a business that asks passengers for their code. */
const scene = Effect.gen(function* () {
  const server = yield* openServer()
  const { acme, driver, job, read, where } = yield* driverUnderWay(server)
  const office = (method: string, path: string, body?: object) =>
    server.send(method, path, { credential: acme.key, ...(body && { body }) })
  record(yield* office("PATCH", "/settings/business", { pickup_pin: true }))
  const newLink = Effect.map(office("POST", `/trips/${job.tripId}/tracking-link`), (answer) =>
    String(record(answer)["token"])
  )
  const pinAt = (link: string) =>
    Effect.map(server.send("GET", `/public/tracking/${link}`), (answer) => record(answer)["pickup_pin"])
  const trip = Effect.map(server.send("GET", `/driver/trip?token=${job.token}`), record)
  let keys = 0
  const board = (pickup_pin?: unknown) =>
    server.send("POST", `/driver/status?token=${job.token}`, {
      body: { milestone: "passenger_on_board", ...(pickup_pin === undefined ? {} : { pickup_pin }) },
      headers: { "idempotency-key": `tap ${(keys += 1)}` }
    })
  return { server, driver, job, read, where, office, newLink, pinAt, trip, board }
})

const wrong = (pin: unknown) => String((Number(pin) + 1) % 10_000).padStart(4, "0")

layer(Ports)("the passenger's code", (it) => {
  it.effect(
    "is on the page of the tracking link and on the office's map, until the passenger is on board",
    () =>
      Effect.gen(function* () {
        const { board, newLink, pinAt, server, trip, where } = yield* scene
        const link = yield* newLink
        const pin = yield* pinAt(link)
        assert.match(String(pin), /^\d{4}$/u)
        assert.strictEqual((yield* where)["pickup_pin"], pin)
        assert.isTrue((yield* trip)["pickup_pin_required"])
        const [required] = refusedAs(yield* board(), 422, "invalid_request") ?? []
        assert.deepStrictEqual(required, { field: "pickup_pin", issue: "required" })
        assert.strictEqual((yield* board(pin)).status, 200)
        assert.deepStrictEqual([yield* pinAt(link), (yield* where)["pickup_pin"]], [null, null])
        // A repeated report changes nothing, and needs no code.
        assert.strictEqual((yield* board()).status, 200)
        assert.strictEqual((yield* server.send("GET", `/public/tracking/${link}`)).status, 200)
      })
  )

  it.effect("never reaches the driver", () =>
    Effect.gen(function* () {
      const { board, driver, job, newLink, pinAt, read, server } = yield* scene
      const pin = String(yield* pinAt(yield* newLink))
      const link = `?token=${job.token}`
      const answers = [
        yield* server.send("GET", `/driver/trip${link}`),
        yield* server.send("GET", `/driver/office${link}`),
        yield* server.send("POST", `/driver/location${link}`, { body: here }),
        yield* server.send("GET", "/me/driver/trips", { credential: driver.token }),
        yield* server.send("GET", `/me/driver/trips/${job.tripId}`, { credential: driver.token }),
        yield* board(wrong(pin)),
        yield* board(pin),
        yield* read("/events")
      ]
      for (const { text } of answers) {
        assert.notInclude(text, `"${pin}"`)
        assert.notMatch(text, /"pickup_pin"\s*:/u)
      }
    })
  )

  it.effect("may be tried three times a minute, whatever the drivers send", () =>
    Effect.gen(function* () {
      const { board, newLink, pinAt } = yield* scene
      const link = yield* newLink
      const pin = yield* pinAt(link)
      for (const tried of [wrong(pin), "", "12345"]) {
        const [detail] = refusedAs(yield* board(tried), 422, "invalid_request") ?? []
        assert.include(detail, { field: "pickup_pin" })
      }
      refusedAs(yield* board(wrong(pin)), 422, "invalid_request")
      for (const tried of [pin, wrong(pin)]) refusedAs(yield* board(tried), 409, "conflict")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* board(pin)).status, 200)
    })
  )

  it.effect("is not needed by the office", () =>
    Effect.gen(function* () {
      const { board, job, newLink, office } = yield* scene
      yield* newLink
      const path = `/trips/${job.tripId}/driver-status`
      assert.strictEqual((yield* office("PATCH", path, { milestone: "passenger_on_board" })).status, 200)
      assert.strictEqual((yield* board("0")).status, 200)
    })
  )

  it.effect("is another one for a new link, and none without a link or without the setting", () =>
    Effect.gen(function* () {
      const { board, job, newLink, office, pinAt, trip, where } = yield* scene
      assert.isFalse((yield* trip)["pickup_pin_required"])
      assert.isNull((yield* where)["pickup_pin"])
      const pins = new Set<unknown>()
      for (let count = 0; count < 4; count += 1) pins.add(yield* pinAt(yield* newLink))
      assert.isAbove(pins.size, 1)
      yield* office("DELETE", `/trips/${job.tripId}/tracking-link`)
      assert.isFalse((yield* trip)["pickup_pin_required"])
      yield* newLink
      assert.isTrue((yield* trip)["pickup_pin_required"])
      yield* office("PATCH", "/settings/business", { pickup_pin: false })
      assert.isFalse((yield* trip)["pickup_pin_required"])
      assert.strictEqual((yield* board()).status, 200)
    })
  )

  it.effect("belongs to no other report", () =>
    Effect.gen(function* () {
      const { job, server } = yield* scene
      for (const body of [{ status: "completed" }, { milestone: "arrived_at_pickup" }]) {
        const answer = yield* server.send("POST", `/driver/status?token=${job.token}`, {
          body: { ...body, pickup_pin: "1234" }
        })
        assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
          { field: "pickup_pin", issue: "invalid" }
        ])
      }
    })
  )
})
