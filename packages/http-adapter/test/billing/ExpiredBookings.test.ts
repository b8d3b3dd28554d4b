/** A booking that expires holds no places any more, so that its invoice must not be paid. */
import { BookingRepository, SalesExpiry } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { eventuallyHolds } from "../../../../test/support/Eventually.ts"
import { CapturedLog } from "../support/CapturedLog.ts"
import { record, records, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg } from "./Billing.ts"
import { seller } from "./BookingSeller.ts"
import { cards } from "./CardBusiness.ts"

/** A business with cards that sells a tour of 90 for one participant at a time. */
const bookingSeller = Effect.gen(function* () {
  const owner = yield* cards
  const sold = yield* seller(owner, { capacity: 1 })
  const { send } = owner
  /** A pending booking whose invoice was raised for its payment link. */
  const linked = Effect.gen(function* () {
    const id = yield* sold.book()
    const link = record(yield* sold.link(id))
    return { id, link, path: `/invoices/${String(link["invoice_id"])}` }
  })
  const invoiceOf = (path: string) =>
    Effect.map(send("GET", path), (answer) => {
      const { amount_due, amount_to_refund, status } = record(answer)
      return { status, amount_due, amount_to_refund }
    })
  return {
    ...owner,
    ...sold,
    linked,
    invoiceOf,
    /** The time of the booking passes; its expiry is not stored yet. */
    pass: TestClock.adjust("1 day"),
    /** Another booking takes the places, which stores the expiry. */
    replace: Effect.suspend(() => sold.book())
  }
})

const void_ = { status: "void", amount_due: 0, amount_to_refund: 0 }
const open = { status: "unpaid", amount_due: 90, amount_to_refund: 0 }

billing("the unpaid invoice of a booking that expires", (it) => {
  it.effect("is void once the expiry is stored, so that the link takes no payment", () =>
    Effect.gen(function* () {
      const {
        begin,
        invoiceOf,
        link: ask,
        linked,
        pass,
        pay,
        replace,
        server,
        statusOf
      } = yield* bookingSeller
      const { id, link, path } = yield* linked
      yield* pass
      assert.deepStrictEqual(yield* invoiceOf(path), open)
      refusedAs(yield* ask(id), 422, "payment_link_failed")
      yield* replace
      assert.deepStrictEqual(yield* invoiceOf(path), void_)
      assert.deepStrictEqual(yield* statusOf(id), ["expired", "unpaid"])
      refusedAs(yield* begin(link), 422, "payment_link_failed")
      refusedAs(yield* ask(id), 422, "payment_link_failed")
      refusedAs(yield* pay(id, 90), 422, "payment_link_failed")
      const shown = record(yield* server.send("GET", `/public/invoices/${String(link["payment_hash"])}`))
      assert.deepInclude(shown, { status: "void", amount_due: 0 })
    })
  )

  it.effect("is voided by the worker, too", () =>
    Effect.gen(function* () {
      const { invoiceOf, linked, pass } = yield* bookingSeller
      const { path } = yield* linked
      yield* pass
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(Layer.fresh(SalesExpiry.layer))
          yield* eventuallyHolds(Effect.map(invoiceOf(path), ({ status }) => status === "void"))
        })
      )
      assert.deepStrictEqual(yield* invoiceOf(path), void_)
    })
  )

  it.effect("is voided even if the expiry of an earlier booking fails, which is logged", () =>
    Effect.gen(function* () {
      const bookings = yield* BookingRepository
      const { lines } = yield* CapturedLog
      const [first, second] = [yield* bookingSeller, yield* bookingSeller]
      const { id: failing, path: unpaid } = yield* first.linked
      yield* TestClock.adjust("1 minute")
      const { path } = yield* second.linked
      yield* first.pass
      const broken = BookingRepository.of({
        ...bookings,
        lock: (businessId, bookingId) =>
          bookingId === failing ? Effect.die("broken row") : bookings.lock(businessId, bookingId)
      })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(
            SalesExpiry.layer.pipe(Layer.provide(Layer.succeed(BookingRepository, broken)), Layer.fresh)
          )
          yield* eventuallyHolds(Effect.map(second.invoiceOf(path), ({ status }) => status === "void"))
        })
      )
      assert.deepStrictEqual(yield* first.invoiceOf(unpaid), open)
      const logged = lines.filter((line) => line.includes("broken row"))
      assert.isNotEmpty(logged)
      assert.include(logged[0], `booking ${String(failing)}`)
    }).pipe(Effect.provide(CapturedLog.layer))
  )

  it.effect("is voided after all of its payments were refunded", () =>
    Effect.gen(function* () {
      const { invoiceOf, linked, pass, pay, replace, send } = yield* bookingSeller
      const { id, path } = yield* linked
      const { payment_id } = record(yield* pay(id, 30))
      yield* pass
      refusedAs(yield* send("POST", `${path}/void`), 422, "invalid_request")
      record(yield* send("POST", `${path}/payments/${String(payment_id)}/refund`, {}))
      yield* replace
      assert.deepStrictEqual(yield* invoiceOf(path), void_)
    })
  )

  it.effect("keeps a card payment that was begun before, to be refunded", () =>
    Effect.gen(function* () {
      const { emulator, invoiceOf, ledger, linked, pass, payByCard, replace, send, statusOf, succeeded } =
        yield* bookingSeller
      const { id, link, path } = yield* linked
      yield* payByCard(link)
      yield* pass
      yield* replace
      for (let sent = 0; sent < 2; sent++) record(yield* succeeded)
      assert.deepStrictEqual(yield* invoiceOf(path), { ...void_, amount_to_refund: 90 })
      assert.deepStrictEqual(yield* statusOf(id), ["expired", "unpaid"])
      const [excess] = records(yield* send("GET", `${path}/payments`))
      record(yield* send("POST", `${path}/payments/${String(excess?.["payment_id"])}/refund`, {}))
      assert.deepStrictEqual(yield* ledger(link), [
        ["excess", 90],
        ["excess_refund", 90]
      ])
      assert.strictEqual(emulator.charges()[0]?.amount_refunded, 9000)
      assert.deepStrictEqual(yield* invoiceOf(path), void_)
    })
  )

  it.effect("stays as it is if it also charges something else, or has a credit note", () =>
    Effect.gen(function* () {
      const { invoiceOf, linked, pass, replace, send, server, statusOf, trip } = yield* bookingSeller
      const changes: ReadonlyArray<(path: string, hash: string) => Effect.Effect<unknown, unknown>> = [
        (path) =>
          send("PATCH", path, {
            items: [
              { description: "Tour", unit_price: 90 },
              { description: "Transfer", unit_price: 10 }
            ]
          }),
        (path) =>
          Effect.flatMap(trip({ total_amount: 10 }), ({ trip_id }) =>
            send("POST", `${path}/trips`, { trip_ids: [trip_id] })
          ),
        (path, hash) =>
          Effect.andThen(
            server.send("GET", `/public/invoices/${hash}`),
            send("POST", `${path}/credit-notes`, { items: [{ description: "Less", unit_price: 10 }] })
          )
      ]
      for (const change of changes) {
        const { id, link, path } = yield* linked
        yield* Effect.orDie(change(path, String(link["payment_hash"])))
        yield* pass
        const other = yield* replace
        assert.deepStrictEqual(yield* statusOf(id), ["expired", "unpaid"])
        assert.strictEqual((yield* invoiceOf(path)).status, "unpaid")
        record(yield* send("POST", `/bookings/${String(other)}/cancel`))
      }
    })
  )
})

billingPg("the unpaid invoice of a booking that expires", (it) => {
  it.effect("either is paid and holds the places, or is void and the payment is refunded or refused", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 8; round++) {
        const { book, invoiceOf, linked, pass, payByCard, send, statusOf, succeeded } = yield* bookingSeller
        const { id, link, path } = yield* linked
        const byCard = round % 2 === 0
        if (byCard) yield* payByCard(link)
        yield* pass
        const payment = byCard ? succeeded : send("POST", `${path}/payments`, { amount: 90, method: "cash" })
        const another = Effect.flatMap(book({ participants_count: 1 }), Effect.succeed).pipe(Effect.exit)
        const [paid] = yield* Effect.all([payment, another], { concurrency: "unbounded" })
        const [status] = yield* statusOf(id)
        const invoice = yield* invoiceOf(path)
        if (status === "expired") {
          assert.deepStrictEqual(invoice, { ...void_, amount_to_refund: byCard ? 90 : 0 })
          assertStatuses([paid], [byCard ? 200 : 409])
        } else {
          assert.deepStrictEqual(yield* statusOf(id), ["pending", "paid"])
          assert.deepStrictEqual(invoice, { status: "paid", amount_due: 0, amount_to_refund: 0 })
          assertStatuses([paid], [byCard ? 200 : 201])
        }
      }
    })
  )
})
