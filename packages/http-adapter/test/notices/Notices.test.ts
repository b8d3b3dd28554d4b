import { NoticeRepository, NoticeTelling, Tracking, type TripId, TripWatch } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { company } from "../support/Fleet.ts"
import { messagesTo, setCredits } from "../support/People.ts"
import { beginning, Ports, PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

layer(PortsInMemory)("the settings of notices", (it) => {
  it.effect("are changed kind by kind, and refuse a template with an unknown placeholder", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const defaults = record(yield* send("GET", "/settings/notices"))
      assert.deepInclude(defaults, { quiet_minutes: 2, reminder_minutes: 1440, templates: [] })
      const channels = { booked: ["text", "mail"] }
      const changed = record(yield* send("PATCH", "/settings/notices", { channels, quiet_minutes: 0 }))
      assert.deepInclude(changed["channels"] as object, {
        booked: ["text", "mail"],
        changed: [],
        driver_new: ["push", "mail"]
      })
      const template = { kind: "booked", language: "de", subject: "{{refrence}}", text: "T", short: "K" }
      refusedAs(
        yield* send("PATCH", "/settings/notices", { templates: [template], quiet_minutes: 61 }),
        422,
        "invalid_request"
      )
      assert.deepInclude(record(yield* send("GET", "/settings/notices")), { quiet_minutes: 0, templates: [] })
    })
  )

  it.effect("preview a template that is not stored, and the default one in a language", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const own = { subject: "S", text: "{{driver_name}}", short: "{{driver_name}} ї" }
      assert.deepInclude(
        record(yield* send("POST", "/settings/notices/preview", { kind: "arrived", template: own })),
        { text: "Ada Moser\n", short: "Ada Moser ї", encoding: "ucs-2", segments: 1 }
      )
      const preview = record(
        yield* send("POST", "/settings/notices/preview", { kind: "booked", language: "de" })
      )
      assert.strictEqual(preview["subject"], "Ihre Fahrt TR-4F7K2Q9 am 2026-12-24 18:30 ist gebucht.")
    })
  )

  it.effect("are overruled by what a customer wants", () =>
    Effect.gen(function* () {
      const { send } = yield* company(yield* openServer())
      const { customer_id } = record(yield* send("POST", "/customers", { name: "Ada" }))
      const path = `/customers/${String(customer_id)}/notice-preferences`
      assert.deepStrictEqual(record(yield* send("GET", path)), { kinds: null, channels: null })
      const wanted = { kinds: ["cancelled"], channels: ["text"] }
      assert.deepStrictEqual(record(yield* send("PATCH", path, wanted)), wanted)
      assert.deepStrictEqual(record(yield* send("GET", path)), wanted)
      refusedAs(yield* send("PATCH", path, { kinds: ["driver_new"], channels: null }), 422, "invalid_request")
    })
  )

  it.effect("and a message to a driver are written for the office alone", () =>
    Effect.gen(function* () {
      const { driver, send } = yield* company(yield* openServer())
      const { driver_id } = yield* driver({ email: "joan.driver@example.com" })
      const sent = record(yield* send("POST", `/drivers/${String(driver_id)}/messages`, { text: "Call us" }))
      assert.deepInclude(sent, { kind: "driver_message", channel: "mail", status: "queued", address: null })
      const [message] = yield* messagesTo("joan.driver@example.com")
      assert.include(message?.text, "Call us")
      refusedAs(yield* send("POST", "/drivers/999999999/messages", { text: "Call us" }), 404, "not_found")
    })
  )
})

/** A business that tells by mail at once or after its quiet time, and functions that tell as a node does. */
const telling = Effect.fnUntraced(function* (server: TestServer, quiet_minutes = 2) {
  yield* TestClock.setTime(DateTime.toEpochMillis(beginning))
  const own = yield* company(server)
  yield* setCredits(own.businessId, 1000)
  const channels = { booked: ["mail"], changed: ["mail"], cancelled: ["mail"] }
  record(yield* own.send("PATCH", "/settings/notices", { channels, quiet_minutes }))
  const email = `zoe${own.businessId}@example.com`
  const settle = Effect.gen(function* () {
    const due = (yield* (yield* NoticeRepository).due(yield* DateTime.now, 10_000)).filter(
      ({ business_id }) => business_id === own.businessId
    )
    const told = yield* Effect.forEach(due, (one) => Effect.flatMap(NoticeTelling, (it) => it.settle(one)), {
      concurrency: 4
    })
    return told.filter(Boolean).length
  }).pipe(
    Effect.provide(
      NoticeTelling.layer.pipe(Layer.provide(Tracking.layer.pipe(Layer.provide(TripWatch.layer))))
    )
  )
  const trip = Effect.map(own.trip({ customer_email: email }), ({ trip_id }) => Number(trip_id) as TripId)
  return { ...own, email, settle, trip, mails: messagesTo(email) }
})

layer(Ports)("the notices of a trip on PostgreSQL", (it) => {
  it.effect("are sent once by several nodes", () =>
    Effect.gen(function* () {
      const { mails, send, settle, trip } = yield* telling(yield* openServer())
      const ids = [yield* trip, yield* trip, yield* trip]
      yield* TestClock.adjust("2 minutes")
      const told = yield* Effect.all([settle, settle, settle, settle], { concurrency: "unbounded" })
      assert.strictEqual(
        told.reduce((sum, count) => sum + count, 0),
        3
      )
      const messages = yield* mails
      assert.lengthOf(messages, 3)
      const [notice, ...others] = records(yield* send("GET", `/trips/${ids[0]}/notices`))
      assert.deepInclude(notice, { kind: "booked", party: "passenger", status: "queued" })
      assert.lengthOf(others, 0)
    })
  )

  it.effect("tell a change that comes during the notice in a notice of its own", () =>
    Effect.gen(function* () {
      const { mails, send, settle, trip } = yield* telling(yield* openServer())
      const id = yield* trip
      yield* TestClock.adjust("2 minutes")
      yield* Effect.all([settle, send("PATCH", `/trips/${id}`, { pickup_address: "Elsewhere" }), settle], {
        concurrency: "unbounded"
      })
      yield* TestClock.adjust("3 minutes")
      yield* settle
      const texts = (yield* mails).map(({ text }) => text)
      assert.isTrue(texts.at(-1)?.includes("Elsewhere →"))
      assert.isAtMost(texts.filter((text) => text.includes("Elsewhere →")).length, 1)
    })
  )

  it.effect("do not tell a booking that is cancelled within its quiet time", () =>
    Effect.gen(function* () {
      const { mails, send, settle, trip } = yield* telling(yield* openServer())
      const id = yield* trip
      yield* TestClock.adjust("1 minute")
      record(yield* send("PATCH", `/trips/${id}`, { status: "cancelled" }))
      yield* TestClock.adjust("10 minutes")
      yield* Effect.all([settle, settle], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* mails, [])
    })
  )

  it.effect("tell the last state of a burst of concurrent changes once", () =>
    Effect.gen(function* () {
      const { mails, send, settle, trip } = yield* telling(yield* openServer())
      const ids = yield* Effect.forEach(Array.from({ length: 5 }), () => trip)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* settle, 5)
      assert.lengthOf(yield* mails, 5)
      for (let round = 0; round < 8; round++)
        yield* Effect.forEach(
          ids,
          (id) => send("PATCH", `/trips/${id}`, { pickup_address: `Street ${round}` }),
          { concurrency: "unbounded" }
        )
      yield* TestClock.adjust("2 minutes")
      yield* Effect.all([settle, settle], { concurrency: "unbounded" })
      const texts = (yield* mails).map(({ text }) => text)
      assert.lengthOf(
        texts.filter((text) => text.includes("Street 7 →")),
        5
      )
      assert.lengthOf(
        texts.filter((text) => /Street [0-6] →/u.test(text)),
        0
      )
    })
  )
})
