/** Random steps of a booking over HTTP, compared with the model; many more of them with `LIVERY_FAULTS=full`. */
import { bookingMachine, BookingStatus } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  type BookingModel,
  BookingStep,
  capacity,
  payment,
  pendingBooking,
  placePrice,
  takeBookingStep,
  waysOfBooking
} from "../../../../test/support/models/BookingModel.ts"
import { company } from "../support/Fleet.ts"
import { excursion } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer, record } from "../support/TestServer.ts"
import { follow, type Modelled } from "./Modelled.ts"
import { testModel } from "./ModelTests.ts"

const starts_at = "2050-12-24T18:00:00Z"

/** A business, with the function that makes a booking of a new product, as the model describes it. */
const bookingBusiness = Effect.gen(function* () {
  const { send } = yield* company(yield* openServer())
  const sql = yield* SqlClient.SqlClient
  const newRecord = Effect.gen(function* () {
    const tour = { ...excursion, price: placePrice, capacity }
    const { product_id } = record(yield* send("POST", "/products", tour))
    const book = (participants_count: number) =>
      send("POST", "/bookings", { product_id, starts_at, participants_count, customer_name: "Ada" })
    const made = record(yield* book(pendingBooking.count))
    const path = `/bookings/${String(made["booking_id"])}`
    const payments: Array<string> = []
    let isDue = false
    let notes = 0
    const change = (body: object) => send("PATCH", path, body)

    const pay = Effect.gen(function* () {
      const answer = yield* send("POST", `${path}/payments`, { amount: payment, method: "cash" })
      if (answer.status !== 201) return answer
      const { invoice_id, payment_id } = record(answer)
      payments.push(`/invoices/${String(invoice_id)}/payments/${String(payment_id)}/refund`)
      return answer
    })

    /** Whether another booking could take that many places. No booking is made. */
    const isFree = Effect.fnUntraced(function* (count: number) {
      const other = yield* book(count)
      if (other.status === 409) return false
      record(yield* send("DELETE", `/bookings/${String(record(other)["booking_id"])}`))
      return true
    })

    const heldPlaces = Effect.gen(function* () {
      for (let free = capacity; free > 0; free--) if (yield* isFree(free)) return capacity - free
      return capacity
    })

    const modelled: Modelled<BookingModel, BookingStep, never, never> = {
      take: Effect.fnUntraced(function* (step: BookingStep): Effect.fn.Return<Answer | undefined> {
        switch (step) {
          case "confirm":
          case "cancel":
            return yield* send("POST", `${path}/${step}`)
          case "complete":
            return yield* change({ status: "completed" })
          case "fewer":
            return yield* change({ participants_count: 1 })
          case "more":
            return yield* change({ participants_count: capacity })
          case "too many":
            return yield* change({ participants_count: capacity + 1 })
          case "note":
            notes += 1
            return yield* change({ notes: `Note ${notes}` })
          case "remove":
            return yield* send("DELETE", path, { force: true })
          case "pay":
            return yield* pay
          case "refund": {
            const refund = payments.pop()
            return refund === undefined ? undefined : yield* send("POST", refund, {})
          }
          case "wait":
            isDue = true
            yield* TestClock.adjust("1 day")
            return undefined
        }
      }),
      read: Effect.gen(function* () {
        const held = yield* heldPlaces
        const answer = yield* send("GET", path)
        const [row] = yield* sql<{
          count: number
          trips: number
          invoiced: number | null
          listed: string | null
        }>`
          SELECT participants_count AS count, (trip_id IS NOT NULL)::int AS trips,
            (SELECT p.payment_status FROM booking_payments p
             WHERE p.business_id = b.business_id AND p.booking_id = b.booking_id AND p.starts_at = b.starts_at
               AND p.status = b.status) AS listed,
            (SELECT total_minor::int / 100 FROM invoices i
             WHERE i.business_id = b.business_id
               AND i.invoice_id = coalesce(b.invoice_id, (SELECT t.invoice_id FROM trips t
                 WHERE t.business_id = b.business_id AND t.trip_id = b.trip_id))) AS invoiced
          FROM bookings b WHERE booking_id = ${Number(made["booking_id"])}`
        const booking = answer.status === 404 ? undefined : record(answer)
        const status =
          booking === undefined
            ? "deleted"
            : yield* Schema.decodeUnknownEffect(BookingStatus)(booking["status"])
        const model: BookingModel = {
          status,
          count: row?.count ?? 0,
          held,
          trips: row?.trips ?? 0,
          isDue,
          invoiced: row?.invoiced ?? null,
          paid: payments.length
        }
        if (booking === undefined || status === "deleted") {
          assert.isNull(row?.listed)
          return model
        }
        const paid = payments.length * payment
        const due = model.invoiced ?? model.count * placePrice
        const payment_status = paid === 0 ? "unpaid" : paid < due ? "partial" : "paid"
        assert.strictEqual(row?.listed, payment_status, "the list has the payment status of the booking")
        assert.deepInclude(booking, {
          payment_status,
          total_amount: model.count * placePrice,
          allowed_transitions: bookingMachine.next(status, "operator")
        })
        assert.strictEqual(booking["expires_at"] === null, status !== "pending" || paid > 0)
        return model
      }).pipe(Effect.orDie)
    }
    return modelled
  })
  return { newRecord }
})

const model = { start: pendingBooking, take: takeBookingStep }

layer(Ports, { timeout: 600_000 })("a booking over HTTP", (it) => {
  testModel(it, {
    model,
    steps: BookingStep,
    stepsOverHttp: ["pay", "refund"],
    statuses: BookingStatus,
    ways: waysOfBooking,
    waysToPairs: [[], ["pay"], ["confirm"]],
    concurrentSteps: BookingStep.literals.filter((step) => step !== "wait" && step !== "too many"),
    takeFrom: () => takeBookingStep,
    setUp: bookingBusiness
  })

  it.effect("that is paid for, fully or in part, does not expire; it does once it is refunded", () =>
    Effect.gen(function* () {
      const { newRecord } = yield* bookingBusiness
      for (const steps of [
        ["pay", "wait", "confirm"],
        ["fewer", "pay", "wait", "cancel"],
        ["more", "pay", "pay", "pay", "wait", "refund", "refund", "refund"],
        ["pay", "refund", "wait", "confirm"],
        ["pay", "wait", "refund", "pay"],
        ["wait", "pay"]
      ] as const)
        yield* follow(yield* newRecord, model, steps)
    })
  )
})
