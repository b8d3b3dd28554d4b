/**
 * An event: the body that receivers get. It is made once, in the transaction of the change, and stored
 * byte for byte: every attempt of every delivery sends those bytes, so that `id` and content never differ.
 */
import { Clock, Effect } from "effect"
import * as Hex from "effect/encoding/Hex"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { EmittedEventType } from "./EventType.ts"
import type { EventBody } from "./EventBody.ts"

/** An event ready to be stored: its id, its business, its type and its exact body. */
export interface DomainEvent {
  readonly eventId: string
  readonly businessId: BusinessId
  readonly type: EmittedEventType
  readonly body: string
}

const make = Effect.fnUntraced(function* (
  type: EmittedEventType,
  data: EventBody["data"],
  meta: EventBody["meta"] & { readonly business_id: BusinessId }
): Effect.fn.Return<DomainEvent, never, Cryptography> {
  const cryptography = yield* Cryptography
  const eventId = `evt_${Hex.encode(yield* cryptography.randomBytes(16))}`
  const created = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const body: EventBody = { id: eventId, type, created, data, meta }
  return { eventId, businessId: meta.business_id, type, body: JSON.stringify(body) }
})

/** Makes an event of `data` with a new id and the current time. Reserved types cannot be made. */
export const makeEvent = (businessId: BusinessId, type: EmittedEventType, data: EventBody["data"]) =>
  make(type, data, { business_id: businessId })

/** Makes an event that is marked as a test: nothing happened. */
export const makeSampleEvent = (businessId: BusinessId, type: EmittedEventType, data: EventBody["data"]) =>
  make(type, data, { business_id: businessId, test: true })
