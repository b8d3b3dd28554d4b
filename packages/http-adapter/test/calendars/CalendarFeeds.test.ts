import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import ICAL from "ical.js"
import {
  assign,
  leaveBusinesses,
  memberOf,
  messagesTo,
  operator,
  setCredits,
  setStatus
} from "../support/People.ts"
import { company } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record, refusedAs, type TestServer } from "../support/TestServer.ts"

const start = Date.parse("2026-12-24T12:00:00Z")

/** A business with a driver on a trip of a customer, and the feed of a link. */
const office = Effect.fnUntraced(function* (server: TestServer) {
  yield* TestClock.setTime(start)
  const acme = yield* company(server)
  const { driver_id } = yield* acme.driver()
  const { customer_id } = yield* acme.customer({ email: "ada@example.com" })
  const { reference, trip_id } = yield* acme.trip({
    customer_id,
    customer_phone: "+41 44 123 45 67",
    flight_number: "LX 8",
    notes: "Two bags; a child, seat\nin the boot",
    internal_notes: "Owes us money",
    po_number: "PO-4711",
    total_amount: 129.5
  })
  yield* acme.send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids: [driver_id] })
  const link = (path: string) => Effect.map(acme.send("POST", `${path}/calendar-link`), record)
  const feed = (token: unknown, headers: Readonly<Record<string, string>> = {}) =>
    server.send("GET", `/public/calendars/${String(token)}/calendar.ics`, { headers })
  return {
    ...acme,
    customer_id,
    driver_id,
    feed,
    link,
    reference: String(reference),
    trip_id: String(trip_id)
  }
})

/** The events of a feed as another program reads them. */
const eventsOf = ({ status, text }: Answer) => {
  assert.strictEqual(status, 200, text)
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent").map((component) => {
    const { description, location, sequence, startDate, summary, uid } = new ICAL.Event(component)
    const state = String(component.getFirstPropertyValue("status"))
    return { uid, sequence, state, summary, description, location, starts: startDate.toString() }
  })
}

layer(Ports, { timeout: 60_000 })("the feed of a calendar link", (it) => {
  it.effect(
    "shows a driver the job as drivers read it, and nothing of its price and the office's notes",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { driver_id, feed, link, reference } = yield* office(server)
        const { token, url } = yield* link(`/drivers/${String(driver_id)}`)
        assert.match(String(token), /^lvc_b[0-9a-f]{11}_[\w-]{43}$/u)
        assert.match(
          String(url),
          /^http:\/\/[^/]+\/api\/v1\/public\/calendars\/lvc_b[0-9a-f]{11}_[\w-]{43}\/calendar\.ics$/u
        )
        const answer = yield* feed(token)
        assert.strictEqual(answer.headers.get("content-type"), "text/calendar; charset=utf-8")
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-cache")
        for (const line of answer.text.split("\r\n")) assert.isAtMost(Buffer.byteLength(line), 75)
        const [event, ...others] = eventsOf(answer)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(event, {
          state: "CONFIRMED",
          summary: "Here – There",
          location: "Here",
          starts: "2026-12-24T18:00:00Z",
          description: `${reference}\nAda +41 44 123 45 67\nLX 8\nTwo bags; a child, seat\nin the boot`
        })
        assert.notMatch(answer.text, /129|Owes|4711|ada@/u)
      })
  )

  it.effect(
    "is 304 until something in it changes; then the sequence of the event has risen, and its id has not changed",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { feed, link, send, trip_id, driver_id } = yield* office(server)
        const { token } = yield* link(`/drivers/${String(driver_id)}`)
        const first = yield* feed(token)
        const etag = first.headers.get("etag") ?? ""
        yield* TestClock.adjust("10 minutes")
        const again = yield* feed(token, { "if-none-match": etag })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
        assert.strictEqual(again.headers.get("cache-control"), "private, no-cache")
        const moved = yield* send("PATCH", `/trips/${trip_id}`, { trip_date: "2026-12-24T19:00:00Z" })
        assert.strictEqual(moved.status, 200, moved.text)
        const changed = yield* feed(token, { "if-none-match": etag })
        const [[before], [after]] = [eventsOf(first), eventsOf(changed)]
        assert.strictEqual(after?.uid, before?.uid)
        assert.isAbove(after?.sequence ?? 0, before?.sequence ?? 0)
        assert.strictEqual(after?.starts, "2026-12-24T19:00:00Z")
      })
  )

  it.effect(
    "shows a cancelled trip as cancelled for 7 days, to the driver, the customer and the office",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, customer_id, driver_id, feed, link, send, trip_id } = yield* office(server)
        const member = yield* memberOf(server, businessId, "dispatcher")
        const own = record(
          yield* server.send("POST", "/calendar-link", { credential: member, business: businessId })
        )
        const tokens = [
          (yield* link(`/drivers/${String(driver_id)}`))["token"],
          (yield* link(`/customers/${String(customer_id)}`))["token"],
          own["token"]
        ]
        const states = Effect.forEach(tokens, (token) =>
          Effect.map(feed(token), (answer) => eventsOf(answer).map(({ state }) => state))
        )
        assert.deepStrictEqual(yield* states, [["CONFIRMED"], ["CONFIRMED"], ["CONFIRMED"]])
        yield* send("PATCH", `/trips/${trip_id}`, { status: "cancelled" })
        yield* TestClock.adjust("7 days")
        assert.deepStrictEqual(yield* states, [["CANCELLED"], ["CANCELLED"], ["CANCELLED"]])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* states, [[], [], []])
      })
  )

  it.effect("of the office names the customer and the drivers, and ends when its member is removed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, feed, key, token: owner } = yield* office(server)
      const { token: member, userId } = yield* operator(server)
      yield* leaveBusinesses(userId)
      yield* assign(businessId, userId, "dispatcher")
      const made = yield* server.send("POST", "/calendar-link", { credential: member, business: businessId })
      const { token } = record(made)
      const [event] = eventsOf(yield* feed(token))
      assert.strictEqual(event?.summary, "Ada: Here – There")
      assert.match(event?.description ?? "", /\nDan$/u)
      refusedAs(yield* server.send("POST", "/calendar-link", { credential: key }), 403, "forbidden")
      const removed = yield* server.send("DELETE", `/business/members/${userId}`, {
        credential: owner,
        business: businessId
      })
      assert.strictEqual(removed.status, 200, removed.text)
      refusedAs(yield* feed(token), 404, "not_found")
    })
  )

  it.effect("of a customer has the id and the title of the email of a booking", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, customer_id, feed, link, send } = yield* office(server)
      const { product_id } = record(yield* send("POST", "/products", excursion))
      const booked = yield* send("POST", "/bookings", {
        product_id,
        starts_at: "2026-12-25T10:00:00Z",
        customer_id
      })
      assert.strictEqual(booked.status, 201, booked.text)
      yield* setCredits(businessId, 1)
      yield* send("POST", `/bookings/${String(record(booked)["booking_id"])}/confirm`)
      const [mail] = yield* messagesTo("ada@example.com")
      const file = new TextDecoder().decode(mail?.attachments?.[0]?.content)
      const [emailed] = eventsOf({ ...booked, status: 200, text: file })
      const { token } = yield* link(`/customers/${String(customer_id)}`)
      const [, shown] = eventsOf(yield* feed(token))
      assert.deepStrictEqual([shown?.uid, shown?.summary], [emailed?.uid, emailed?.summary])
      assert.isAtLeast(shown?.sequence ?? -1, emailed?.sequence ?? 0)
      const summaries = eventsOf(yield* feed(token)).map(({ state, summary }) => [state, summary])
      assert.deepStrictEqual(
        summaries.map(([state]) => state),
        ["CONFIRMED", "CONFIRMED"]
      )
      assert.match(summaries[1]?.[1] ?? "", /^Excursion – /u)
    })
  )

  it.effect(
    "ends with a new link, its removal, the deletion of its driver, and while the business is suspended",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, driver_id, feed, link, send } = yield* office(server)
        const stranger = yield* company(server)
        const path = `/drivers/${String(driver_id)}`
        const statusOf = (token: unknown) => Effect.map(feed(token), ({ status }) => status)
        const [first, second] = [(yield* link(path))["token"], (yield* link(path))["token"]]
        assert.deepStrictEqual([yield* statusOf(first), yield* statusOf(second)], [404, 200])
        for (const method of ["POST", "DELETE"])
          refusedAs(yield* stranger.send(method, `${path}/calendar-link`), 404, "not_found")
        yield* setStatus(businessId, "D")
        assert.strictEqual(yield* statusOf(second), 404)
        yield* setStatus(businessId, "A")
        assert.strictEqual(yield* statusOf(second), 200)
        const remove = Effect.map(send("DELETE", `${path}/calendar-link`), record)
        assert.deepStrictEqual([yield* remove, yield* remove], [{ deleted: true }, { deleted: false }])
        assert.strictEqual(yield* statusOf(second), 404)
        const third = (yield* link(path))["token"]
        yield* send("DELETE", path, { force: true })
        assert.strictEqual(yield* statusOf(third), 404)
        for (const token of ["lvc_nothing", "x".repeat(5000), "%00"])
          refusedAs(yield* feed(token), 404, "not_found")
      })
  )

  it.effect("may be read 120 times a minute from one address, or as often as is set", () =>
    Effect.gen(function* () {
      const server = yield* openServer({ limits: { public: 2 } })
      const get = server.send("GET", "/public/calendars/lvc_x/calendar.ics", { peer: "192.0.2.9" })
      const statuses = [yield* get, yield* get, yield* get].map(({ status }) => status)
      assert.deepStrictEqual(statuses, [404, 404, 429])
    })
  )
})
