/** Businesses that sell bookings, for tests over HTTP. */
import { Effect } from "effect"
import { record } from "../support/TestServer.ts"
import type { biller } from "./Billing.ts"

type Owner = Effect.Success<ReturnType<typeof biller>>

/** A business with a product, and functions that book it and pay for the booking. */
export const seller = Effect.fnUntraced(function* ({ send }: Pick<Owner, "send">, product: object = {}) {
  const made = record(
    yield* send("POST", "/products", { name: "Tour", kind: "other", price: 90, ...product })
  )
  const path = (bookingId: unknown) => `/bookings/${String(bookingId)}`
  const read = (bookingId: unknown) => Effect.map(send("GET", path(bookingId)), record)
  return {
    book: (body: object = {}) =>
      Effect.map(
        send("POST", "/bookings", {
          product_id: made["product_id"],
          starts_at: "2026-12-24T10:00:00Z",
          customer_name: "Ada",
          ...body
        }),
        (answer) => record(answer)["booking_id"]
      ),
    read,
    statusOf: (bookingId: unknown) =>
      Effect.map(read(bookingId), ({ payment_status, status }) => [status, payment_status]),
    step: (bookingId: unknown, step: string) => send("POST", `${path(bookingId)}/${step}`),
    link: (bookingId: unknown, body?: object) => send("POST", `${path(bookingId)}/payment-link`, body),
    pay: (bookingId: unknown, amount: number, body: object = {}) =>
      send("POST", `${path(bookingId)}/payments`, { amount, method: "cash", ...body })
  }
})
