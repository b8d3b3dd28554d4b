/**
 * The `data` of each type of event (docs/api/webhooks.md), and a sample of it for testing a receiver.
 * Payloads may gain fields.
 */
import { InvoiceChange } from "../billing/invoice/InvoiceTimeline.ts"
import { Schema } from "effect"
import { InvoiceRecord } from "../billing/invoice/Invoice.ts"
import { PaymentKind } from "../billing/ledger/Payment.ts"
import { noDetails } from "../trips/trip/TripDetails.ts"
import { TripRecord } from "../trips/trip/Trip.ts"
import { QuoteRecord } from "../sales/quotes/Quote.ts"
import type { EmittedEventType } from "../events/EventType.ts"

const DriversAssigned = Schema.Struct({
  trip_id: Schema.Int,
  driver_ids: Schema.Array(Schema.Int),
  assignments: Schema.Array(Schema.Struct({ driver_id: Schema.Int, car_id: Schema.NullOr(Schema.Int) })),
  added_driver_ids: Schema.Array(Schema.Int),
  removed_driver_ids: Schema.Array(Schema.Int),
  declined_driver_ids: Schema.Array(Schema.Int).annotateKey({
    description: "The removed drivers who gave the job back themselves"
  })
}).annotate({ identifier: "DriverAssignedData" })

/** A cancelled trip, and the drivers who were removed from it by the cancellation. */
const TripCancelled = Schema.Struct({
  ...TripRecord.fields,
  removed_driver_ids: Schema.Array(Schema.Int)
}).annotate({ identifier: "TripCancelledData" })

const InvoiceChanged = Schema.Struct({
  invoice_id: Schema.Int,
  change: Schema.Literals([...InvoiceChange.literals, "discarded"]).annotateKey({
    description: "The change, as in the timeline; `discarded` if a draft was deleted"
  }),
  trip_ids: Schema.Array(Schema.Int).annotateKey({ description: "The trips that were attached or detached" }),
  fields: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "The names of the fields that an `updated` invoice has other values of"
  })
}).annotate({ identifier: "InvoiceUpdatedData" })

const InvoicePaid = Schema.Struct({ invoice_id: Schema.Int, status: Schema.Literal("paid") }).annotate({
  identifier: "InvoicePaidData"
})

const PaymentSucceeded = Schema.Struct({
  invoice_id: Schema.Int,
  amount: Schema.Finite,
  kind: Schema.optionalKey(Schema.Literal("excess")).annotateKey({
    description:
      "Only of an amount that the invoice does not need: it does not count towards the invoice, and is to be refunded"
  }),
  currency: Schema.optionalKey(Schema.String).annotateKey({
    description: "With `kind` only: the currency of the amount, which may differ from the invoice's"
  })
}).annotate({ identifier: "PaymentSucceededData" })

const PaymentReversed = Schema.Struct({
  invoice_id: Schema.Int,
  payment_id: Schema.Int.annotateKey({ description: "The entry that was a typing error" }),
  kind: Schema.Literals(PaymentKind.literals).annotateKey({ description: "The kind of that entry" }),
  amount: Schema.Finite,
  currency: Schema.String,
  reason: Schema.String
}).annotate({ identifier: "PaymentReversedData" })

/** For each event, when it is sent and the shape of its `data`. */
export const eventData = {
  "trip.created": { when: "A trip is created", data: TripRecord },
  "trip.updated": { when: "A trip's status, timing, vehicle or passenger details change", data: TripRecord },
  "trip.completed": { when: "A trip is completed", data: TripRecord },
  "trip.cancelled": { when: "A trip is cancelled", data: TripCancelled },
  "driver.assigned": { when: "Drivers are assigned or reassigned to a trip", data: DriversAssigned },
  "quote.accepted": { when: "A quote is accepted, by its customer or by the business", data: QuoteRecord },
  "invoice.created": { when: "An invoice is raised", data: InvoiceRecord },
  "invoice.updated": {
    when: "An invoice changes: its timeline has the same entry",
    data: InvoiceChanged
  },
  "invoice.paid": { when: "An invoice becomes fully paid", data: InvoicePaid },
  "payment.succeeded": { when: "A payment is recorded against an invoice", data: PaymentSucceeded },
  "payment.reversed": {
    when: "A payment or a refund that was entered by mistake is reversed",
    data: PaymentReversed
  }
} as const satisfies Record<EmittedEventType, { readonly when: string; readonly data: Schema.Codec<object> }>

const { tolls_minor: _tolls, ...details } = noDetails

const trip: TripRecord = {
  trip_id: 1001,
  reference: "TR-7K2M9QX",
  status: "confirmed",
  driver_status: "unassigned",
  payment_status: "unpaid",
  allowed_transitions: ["completed", "cancelled"],
  trip_type: "airport_arrival",
  trip_date: "2026-12-24T17:30:00Z",
  pickup_at: "2026-12-24 18:30:00",
  duration_minutes: 45,
  pickup_address: "Airport, Terminal 1",
  pickup_postal_code: null,
  pickup_lat: null,
  pickup_lng: null,
  dropoff_address: "Grand Hotel, Lakeside 4",
  dropoff_postal_code: null,
  dropoff_lat: null,
  dropoff_lng: null,
  customer_id: 401,
  customer_name: "Ada Lovelace",
  customer_email: "ada@example.com",
  customer_phone: null,
  car_id: null,
  driver_ids: [],
  drivers: [],
  total_amount: 129.5,
  currency: "EUR",
  flight_number: "LX 318",
  terminal: "1",
  participants_count: 2,
  notes: null,
  special_requirements: null,
  ...details,
  tolls_amount: null,
  external_ref: "PMS-20418",
  cost_center: "Events",
  vehicle_class: "sedan",
  stops: [{ address: "Old Town 2", lat: null, lng: null, contact: null, minutes: 10 }],
  pickup_timezone: "Europe/Zurich",
  pickup_local: "2026-12-24 18:30:00",
  cancel_reason: null,
  cancelled_by: null,
  cancellation_fee: null,
  cancelled_at: null,
  completed_at: null,
  created_at: "2026-11-20T09:30:00Z",
  updated_at: "2026-11-20T09:30:00Z"
}

/** Sample data for each event. */
export const sampleData: {
  readonly [Type in EmittedEventType]: (typeof eventData)[Type]["data"]["Type"]
} = {
  "trip.created": trip,
  "trip.updated": { ...trip, participants_count: 3, updated_at: "2026-11-20T10:00:00Z" },
  "trip.completed": {
    ...trip,
    status: "completed",
    driver_status: "completed",
    allowed_transitions: [],
    driver_ids: [301],
    drivers: [
      {
        driver_id: 301,
        name: "Grace Hopper",
        status: "completed",
        car_id: null,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        milestones: []
      }
    ],
    completed_at: "2026-12-24T18:45:00Z",
    updated_at: "2026-12-24T18:45:00Z"
  },
  "trip.cancelled": {
    ...trip,
    status: "cancelled",
    allowed_transitions: [],
    removed_driver_ids: [301],
    drivers: [
      {
        driver_id: 301,
        name: "Grace Hopper",
        status: "cancelled",
        car_id: null,
        accepted_at: null,
        declined_at: null,
        decline_reason: null,
        milestones: []
      }
    ],
    cancel_reason: "customer_request",
    cancelled_by: "operator",
    cancelled_at: "2026-11-21T08:00:00Z",
    updated_at: "2026-11-21T08:00:00Z"
  },
  "driver.assigned": {
    trip_id: 1001,
    driver_ids: [301, 302],
    assignments: [
      { driver_id: 301, car_id: null },
      { driver_id: 302, car_id: 205 }
    ],
    added_driver_ids: [302],
    removed_driver_ids: [303],
    declined_driver_ids: [303]
  },
  "quote.accepted": {
    quote_id: 501,
    reference: "QU-4H8W2DN",
    status: "accepted",
    allowed_transitions: ["converted", "rejected"],
    version: 1,
    customer_id: 401,
    customer_name: "Ada Lovelace",
    customer_email: "ada@example.com",
    customer_phone: null,
    currency: "EUR",
    valid_until: "2026-12-01T00:00:00Z",
    items: [
      {
        description: "Airport transfer",
        trip: {
          trip_date: "2026-12-24T17:30:00Z",
          pickup_address: "Airport, Terminal 1",
          dropoff_address: "Grand Hotel, Lakeside 4",
          customer_name: "Ada Lovelace"
        },
        amount: 129.5,
        fare: null
      }
    ],
    total_amount: 129.5,
    notes: null,
    trip_ids: [],
    sent_at: "2026-11-20T09:00:00Z",
    accepted_at: "2026-11-20T09:30:00Z",
    accepted_by: "Ada Lovelace",
    accepted_address: "203.0.113.7",
    rejected_at: null,
    reject_reason: null,
    converted_at: null,
    created_at: "2026-11-20T08:30:00Z",
    updated_at: "2026-11-20T09:30:00Z"
  },
  "invoice.created": {
    invoice_id: 701,
    number: "INV-000001",
    customer_id: 401,
    status: "unpaid",
    allowed_transitions: ["void"],
    currency: "EUR",
    items: [
      {
        description: "TR-7K2M9QX, 2026-12-24 18:30, Airport, Terminal 1 – Grand Hotel, Lakeside 4",
        quantity: 1,
        unit_price: 129.5,
        tax_rate: 0,
        taxes: [],
        tax_included: false,
        amount: 129.5,
        gross_amount: null,
        trip_id: 1001
      }
    ],
    subtotal: 129.5,
    tax_total: 0,
    tax_breakdown: [{ name: null, rate: 0, taxable_amount: 129.5, tax_amount: 0 }],
    total_amount: 129.5,
    amount_paid: 0,
    amount_credited: 0,
    amount_due: 129.5,
    amount_to_refund: 0,
    issued_on: "2026-12-24",
    due_date: "2027-01-23",
    service_from: "2026-12-24",
    service_to: "2026-12-24",
    buyer_reference: null,
    overdue: false,
    notes: null,
    trip_ids: [1001],
    untaxed_as: "zero_rated",
    untaxed_reason: null,
    corrects_invoice_id: null,
    corrected_by_invoice_id: null,
    fee_of_invoice_id: null,
    reminder_level: 0,
    last_reminder_at: null,
    reminder_fees: 0,
    payment_hash: "inv_b3f0a9c27d41_3vX1kq7ZQ0aB9cD8eF7gH6iJ5kL4mN3oP2qR1sT0uV",
    sent_at: null,
    email_status: null,
    email_failed_at: null,
    viewed_at: null,
    sealed_at: null,
    voided_at: null,
    created_at: "2026-12-24T19:00:00Z",
    updated_at: "2026-12-24T19:00:00Z"
  },
  "invoice.updated": { invoice_id: 701, change: "attached", trip_ids: [1001] },
  "invoice.paid": { invoice_id: 701, status: "paid" },
  "payment.succeeded": { invoice_id: 701, amount: 129.5 },
  "payment.reversed": {
    invoice_id: 701,
    payment_id: 801,
    kind: "payment",
    amount: 129.5,
    currency: "EUR",
    reason: "It was for another invoice"
  }
}
