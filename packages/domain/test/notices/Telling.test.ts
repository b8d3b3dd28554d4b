import { assert, describe, it } from "@effect/vitest"
import { BusinessId, CustomerId, InvoiceId, TripId } from "@livery/domain"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { invoiceOf } from "../../../../test/contract/InvoiceRepository.ts"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { telling } from "../support/Notices.ts"

const bursts = extent(10, 2)

const zoe = "zoe@example.com"

/** A telling business with a trip of Zoë that was told already. */
const told = Effect.fnUntraced(function* (change: object = {}, people = 1) {
  const memory = yield* telling()
  yield* memory.startWorker
  yield* memory.create({ customer_email: zoe, ...change })
  yield* memory.pass("3 minutes")
  assert.lengthOf(memory.posted(), people)
  return memory
})

const summary = (messages: ReadonlyArray<{ readonly to: string; readonly subject: string }>) =>
  messages.map(({ subject, to }) => `${to}: ${subject}`)

describe("the customers of a trip", () => {
  it.effect("are told nothing by a business that has set nothing", () =>
    Effect.gen(function* () {
      const memory = yield* telling({})
      yield* memory.startWorker
      yield* memory.create({ customer_email: zoe })
      yield* memory.update(1, { pickup_address: "Elsewhere" })
      yield* memory.pass("1 hour")
      assert.deepStrictEqual(memory.posted(), [])
      assert.deepStrictEqual(memory.store.noticeMarks.where(), [])
    })
  )

  it.effect("are told of a booking after the quiet time, on the clock of the pickup", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      const { reference } = yield* memory.create({ customer_email: zoe })
      yield* memory.pass("119 seconds")
      assert.deepStrictEqual(memory.posted(), [])
      yield* memory.pass("6 seconds")
      const [message] = memory.posted()
      assert.deepInclude<object>(message ?? {}, {
        to: zoe,
        from_name: "Business 1",
        subject: `Your trip ${reference} on 2026-11-20 09:30 is booked.`,
        letter: { kind: "notice", reference }
      })
      assert.deepStrictEqual(memory.notices(), [`booked ${zoe} queued`])
      assert.strictEqual(memory.store.businesses.get(BusinessId.make(1))?.email_credits, 99_999)
    })
  )

  it.effect("get one notice for a burst of changes, with the last state", () =>
    Effect.gen(function* () {
      const memory = yield* told()
      for (const pickup_address of ["A", "B", "C"]) {
        yield* memory.update(1, { pickup_address })
        yield* memory.pass("1 minute")
      }
      assert.deepStrictEqual(memory.posted(), [])
      yield* memory.pass("2 minutes")
      const messages = memory.posted()
      assert.lengthOf(messages, 1)
      assert.include(messages[0]?.subject, "has changed")
      assert.include(messages[0]?.text, "C → Flughafen")
    })
  )

  it.effect("are told of a burst without an end after ten quiet times", () =>
    Effect.gen(function* () {
      const memory = yield* told()
      for (let minute = 0; minute < 21; minute++) {
        yield* memory.update(1, { pickup_address: `Street ${minute}` })
        yield* memory.pass("1 minute")
      }
      assert.lengthOf(memory.posted(), 1)
    })
  )

  it.effect("are told nothing that was undone within the quiet time", () =>
    Effect.gen(function* () {
      const memory = yield* told()
      yield* memory.update(1, { pickup_address: "Elsewhere" })
      yield* memory.update(1, { pickup_address: "Bahnhofplatz 1" })
      yield* memory.update(1, { status: "cancelled" })
      yield* memory.reopen(1)
      yield* memory.pass("1 hour")
      assert.deepStrictEqual(memory.posted(), [])
      assert.deepStrictEqual(memory.store.noticeMarks.where(), [])
    })
  )

  it.effect("never hear of a trip that was booked and cancelled within the quiet time", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      yield* memory.create({ customer_email: zoe })
      yield* memory.update(1, { status: "cancelled" })
      yield* memory.create({ customer_email: zoe })
      yield* memory.remove(2)
      yield* memory.pass("1 hour")
      assert.deepStrictEqual(memory.posted(), [])
    })
  )

  it.effect("are told of a cancellation and of a deletion", () =>
    Effect.gen(function* () {
      const memory = yield* told()
      yield* memory.update(1, { status: "cancelled" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(
        memory.posted().map(({ subject }) => subject.includes("is cancelled")),
        [true]
      )
      yield* memory.create({ customer_email: zoe })
      yield* memory.pass("3 minutes")
      memory.posted()
      yield* memory.remove(2)
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(
        memory.posted().map(({ subject }) => subject.includes("is cancelled")),
        [true]
      )
    })
  )

  it.effect("are told who drives, once; then that the driver is on the way, has arrived and is done", () =>
    Effect.gen(function* () {
      const memory = yield* told()
      memory.addDrivers(1, 11)
      yield* memory.assign(1, [11])
      yield* memory.pass("3 minutes")
      yield* TestClock.setTime(Date.parse("2026-11-20T08:00:00Z"))
      yield* memory.report(1, { status: "en_route" })
      yield* memory.pass("6 seconds")
      yield* memory.report(1, { milestone: "arrived_at_pickup" })
      yield* memory.pass("6 seconds")
      yield* memory.report(1, { status: "completed" })
      yield* memory.pass("6 seconds")
      const messages = memory.posted()
      assert.deepStrictEqual(
        messages.map(({ subject }) => subject.replace(/TR-\w+/u, "TR")),
        [
          "Your driver for trip TR on 2026-11-20 09:30 is Driver 11.",
          "Your driver is on the way.",
          "Your driver has arrived.",
          "Your trip TR has ended. Thank you."
        ]
      )
      assert.match(messages[1]?.text ?? "", /https:\/\/livery\.example\/track#lvt_/u)
    })
  )

  it.effect("are reminded once, and again if the trip moves to a later time", () =>
    Effect.gen(function* () {
      const memory = yield* telling({ reminder: ["mail"] })
      memory.setNotices({ reminder_minutes: 60 })
      yield* memory.startWorker
      yield* memory.create({ customer_email: zoe, trip_date: "2026-11-19T11:00:00Z" })
      yield* memory.pass("119 minutes")
      assert.deepStrictEqual(memory.posted(), [])
      yield* memory.pass("20 minutes")
      assert.lengthOf(memory.posted(), 1)
      yield* memory.update(1, { trip_date: "2026-11-19T11:10:00Z" })
      yield* memory.pass("20 minutes")
      assert.deepStrictEqual(memory.posted(), [])
      yield* memory.update(1, { trip_date: "2026-11-19T13:00:00Z" })
      yield* memory.pass("2 hours")
      assert.deepStrictEqual(
        memory.posted().map(({ subject }) => subject.replace(/TR-\w+/u, "TR")),
        ["Reminder: your trip TR is on 2026-11-19 14:00."]
      )
    })
  )

  it.effect("and the booker and the passengers are told once each, also with the same address", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      yield* memory.create({
        customer_email: zoe,
        booker_name: "Ben",
        booker_email: "ben@example.com",
        passengers: [
          { name: "Zoë", email: zoe },
          { name: "Kim", email: "kim@example.com" }
        ]
      })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(
        memory.posted().map(({ to }) => to),
        [zoe, "kim@example.com", "ben@example.com"]
      )
    })
  )

  it.effect("decide by their preferences which kinds they are told, in their language", () =>
    Effect.gen(function* () {
      const memory = yield* telling({})
      yield* memory.startWorker
      memory.addCustomer(1, 5, zoe)
      memory.store.customers.change(CustomerId.make(5), { language: "de-CH" })
      memory.store.noticePreferences.set(CustomerId.make(5), {
        business_id: BusinessId.make(1),
        kinds: ["booked"],
        channels: null
      })
      memory.setNotices({ channels: { cancelled: ["mail"] } })
      yield* memory.create({ customer_id: 5 })
      yield* memory.pass("3 minutes")
      assert.include(memory.posted()[0]?.subject, "ist gebucht")
      yield* memory.update(1, { status: "cancelled" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.posted(), [])
    })
  )

  it.effect("without an address or a credit have a notice that says so", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      memory.store.businesses.change(BusinessId.make(1), { email_credits: 0 })
      yield* memory.create({ customer_email: zoe })
      yield* memory.create()
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.posted(), [])
      assert.deepStrictEqual(memory.notices(), [`booked ${zoe} no_email_credits`, "booked  no_address"])
    })
  )

  it.effect("are told nothing about a past trip", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      yield* memory.create({ customer_email: zoe, trip_date: "2026-11-18T09:30:00" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.posted(), [])
    })
  )
})

describe("the drivers of a trip", () => {
  const assigned = Effect.gen(function* () {
    const memory = yield* telling({})
    memory.addDrivers(1, 11, 12)
    for (const id of [11, 12]) memory.withEmail(id)
    yield* memory.startWorker
    yield* memory.create()
    yield* memory.assign(1, [11])
    yield* memory.pass("3 minutes")
    assert.deepStrictEqual(
      summary(memory.posted()).map((line) => line.replace(/TR-\w+/u, "TR")),
      ["driver11@example.com: New trip TR on 2026-11-20 09:30."]
    )
    return memory
  })

  it.effect("are told of a new trip without a setting, and it costs no credit", () =>
    Effect.gen(function* () {
      const memory = yield* assigned
      assert.strictEqual(memory.store.businesses.get(BusinessId.make(1))?.email_credits, 100_000)
    })
  )

  it.effect("are told of a change, and the former and the new driver of an exchange", () =>
    Effect.gen(function* () {
      const memory = yield* assigned
      yield* memory.update(1, { notes: "Ring twice" })
      yield* memory.pass("3 minutes")
      assert.include(memory.posted()[0]?.subject, "has changed")
      yield* memory.assign(1, [12])
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(
        summary(memory.posted()).map((line) => line.replace(/TR-\w+/u, "TR")),
        [
          "driver11@example.com: Trip TR on 2026-11-20 09:30 is no longer yours.",
          "driver12@example.com: New trip TR on 2026-11-20 09:30."
        ]
      )
    })
  )

  it.effect("are not told that they declined a trip themselves, but that the office cancelled it", () =>
    Effect.gen(function* () {
      const memory = yield* assigned
      memory.setNotices({ channels: { driver_declined: [] } })
      yield* memory.report(1, { status: "cancelled", reason: "Ill" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.posted(), [])
      yield* memory.assign(1, [12])
      yield* memory.pass("3 minutes")
      memory.posted()
      yield* memory.update(1, { status: "cancelled" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(
        summary(memory.posted()).map((line) => line.replace(/TR-\w+/u, "TR")),
        ["driver12@example.com: Trip TR on 2026-11-20 09:30 is no longer yours."]
      )
    })
  )
})

describe("the office", () => {
  const office = Effect.gen(function* () {
    const memory = yield* telling({})
    memory.addDrivers(1, 11, 12)
    yield* memory.startWorker
    yield* memory.create()
    yield* memory.assign(1, [11, 12])
    yield* memory.pass("3 minutes")
    memory.posted()
    return memory
  })

  it.effect("is told at once, and once, that a driver declined and why, without a credit", () =>
    Effect.gen(function* () {
      const memory = yield* office
      yield* memory.report(1, { status: "cancelled", reason: "Ill" })
      yield* memory.pass("6 seconds")
      const [message, ...others] = memory.posted()
      assert.deepStrictEqual(others, [])
      assert.match(message?.subject ?? "", /^Driver 11 declined trip TR-\w+ on 2026-11-20 09:30\. Ill$/u)
      assert.include(message?.text, "https://livery.example/app/trips/1")
      assert.strictEqual(message?.to, memory.store.businesses.get(BusinessId.make(1))?.business_email)
      yield* memory.pass("1 hour")
      yield* memory.update(1, { notes: "Ring twice" })
      yield* memory.pass("3 minutes")
      assert.deepStrictEqual(memory.posted(), [])
      assert.strictEqual(memory.store.businesses.get(BusinessId.make(1))?.email_credits, 100_000)
    })
  )

  it.effect("is told that the last driver declined, although no driver is on the trip any more", () =>
    Effect.gen(function* () {
      const memory = yield* office
      yield* memory.assign(1, [11])
      yield* memory.report(1, { status: "cancelled" })
      yield* memory.pass("6 seconds")
      assert.deepStrictEqual(
        memory.posted().map(({ subject }) => subject.replace(/TR-\w+/u, "TR")),
        ["Driver 11 declined trip TR on 2026-11-20 09:30."]
      )
    })
  )

  it.effect("is told nothing of a driver who gives up after the start, or whom it takes off itself", () =>
    Effect.gen(function* () {
      const memory = yield* office
      yield* memory.report(1, { status: "en_route" })
      yield* memory.report(1, { status: "cancelled" })
      yield* memory.assign(1, [])
      yield* memory.pass("3 minutes")
      assert.isFalse(memory.posted().some(({ subject }) => subject.includes("declined")))
    })
  )
})

describe("the link of a notice", () => {
  it.effect("leads drivers to their job, where they accept it", () =>
    Effect.gen(function* () {
      const memory = yield* telling({})
      memory.addDrivers(1, 11)
      memory.withEmail(11)
      yield* memory.startWorker
      yield* memory.create()
      yield* memory.assign(1, [11])
      yield* memory.pass("3 minutes")
      assert.include(memory.posted()[0]?.text, "https://livery.example/drive#job=1")
    })
  )

  it.effect.each([
    ["unpaid", "https://livery.example/pay#invoice=hash"],
    ["paid", "https://livery.example/pay#invoice=hash"],
    ["draft", undefined],
    ["void", undefined],
    [undefined, undefined]
  ] as const)(
    "after a trip with an invoice that is %s is %s, for the customer and not for other passengers",
    ([status, link]) =>
      Effect.gen(function* () {
        const memory = yield* told({ passengers: [{ name: "Kim", email: "kim@example.com" }] }, 2)
        if (status !== undefined) {
          const invoice_id = InvoiceId.make(7)
          const invoice = { ...invoiceOf(BusinessId.make(1)), invoice_id, status, payment_hash: "hash" }
          memory.store.invoices.set(invoice_id, invoice as never)
          memory.store.trips.change(TripId.make(1), { invoice_id })
        }
        yield* memory.update(1, { status: "completed" })
        yield* memory.pass("6 seconds")
        const linkIn = (text = "") => /https:\S+/u.exec(text)?.[0]
        assert.deepStrictEqual(
          memory.posted().map(({ text, to }) => [to, linkIn(text)]),
          [
            [zoe, link],
            ["kim@example.com", undefined]
          ]
        )
      })
  )
})

describe(`${bursts * 1000} changes in bursts`, () => {
  it.effect("tell each addressee the last state once", () =>
    Effect.gen(function* () {
      const memory = yield* telling()
      yield* memory.startWorker
      const trips = 20
      for (let id = 1; id <= trips; id++) yield* memory.create({ customer_email: `p${id}@example.com` })
      yield* memory.pass("3 minutes")
      assert.lengthOf(memory.posted(), trips)
      for (let burst = 0; burst < bursts; burst++) {
        for (let change = 0; change < 50; change++) {
          for (let id = 1; id <= trips; id++)
            yield* memory.update(id, { pickup_address: `Street ${burst}.${change}` })
          yield* memory.pass("1 second")
        }
        yield* memory.pass("3 minutes")
        const messages = memory.posted()
        assert.lengthOf(messages, trips)
        assert.lengthOf(new Set(messages.map(({ to }) => to)), trips)
        assert.isTrue(messages.every(({ text }) => text.includes(`Street ${burst}.49 →`)))
      }
    })
  )
})
