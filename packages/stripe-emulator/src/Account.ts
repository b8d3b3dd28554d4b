/** The state of one Stripe account in memory. */
import { randomBytes } from "node:crypto"
import type { Stripe } from "stripe"

/** The version of Stripe's API whose records the emulator keeps. */
export const apiVersion = "2026-10-28.endive"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** A random identifier. No other run of the emulator has it, so a database that outlives a run never meets it again. */
export const randomId = (prefix: string, length = 24): string =>
  `${prefix}${[...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join("")}`

/** The request that caused an event, as the event names it. */
export interface Cause {
  readonly requestId: string
  readonly idempotencyKey: string | null
}

/** All records by identifier, in the order of their creation. */
export interface Account {
  /** Unix seconds. */
  readonly now: () => number
  readonly intents: Map<string, Stripe.PaymentIntent>
  readonly charges: Map<string, Stripe.Charge>
  readonly refunds: Map<string, Stripe.Refund>
  readonly disputes: Map<string, Stripe.Dispute>
  readonly subscriptions: Map<string, Stripe.Subscription>
  readonly events: Array<Stripe.Event>
  /** Adds an event with the current state of a record, and calls the listener. `cause` is null without a request. */
  readonly emit: (type: Stripe.Event["type"], record: object, cause: Cause | null) => void
}

/** An empty account. `listener` receives each event once it is recorded. */
export const makeAccount = (now: () => number, listener: (event: Stripe.Event) => void): Account => {
  const events: Array<Stripe.Event> = []
  return {
    now,
    intents: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    subscriptions: new Map(),
    events,
    emit: (type, record, cause) => {
      const event = {
        id: randomId("evt_"),
        object: "event",
        api_version: apiVersion,
        created: now(),
        data: { object: structuredClone(record) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: cause?.requestId ?? null, idempotency_key: cause?.idempotencyKey ?? null },
        type
      } as Stripe.Event
      events.push(event)
      listener(event)
    }
  }
}
