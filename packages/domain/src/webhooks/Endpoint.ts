/** A webhook endpoint: the URL that a business's events are posted to, and which ones (docs/api/webhooks.md). */
import { type DateTime, Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Conflict } from "../kernel/Errors.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { storable, trimming } from "../kernel/fields/Text.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { EventType } from "../events/EventType.ts"

/** `disabled` endpoints get no events. Only the business itself disables one. */
export const EndpointStatus = Schema.Literals(["enabled", "disabled"])
export type EndpointStatus = typeof EndpointStatus.Type

/** `enabled ⇄ disabled`, by the operator. */
export const endpointMachine = StateMachine.make<EndpointStatus>(
  "webhook endpoint",
  EndpointStatus.literals,
  { enabled: { disabled: ["operator"] }, disabled: { enabled: ["operator"] } }
)

/** An endpoint as stored. Its secret is sealed, and shown only in the response that creates it. */
export interface Endpoint {
  readonly endpoint_id: EndpointId
  readonly business_id: BusinessId
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  readonly status: EndpointStatus
  readonly created_at: DateTime.Utc
  readonly updated_at: DateTime.Utc
}

/** A business has at most this many endpoints. */
export const endpointsPerBusiness = 50

/** The refusal of one more than {@link endpointsPerBusiness}. */
export const tooManyEndpoints = () =>
  new Conflict({
    reason: `A business has at most ${endpointsPerBusiness} webhook endpoints; delete one first`
  })

/** Hours for which a replaced secret still signs beside the new one. */
export const retiredSecretHours = 24

/** The most replaced secrets that may still sign at once. */
export const retiredSecretsAtMost = 10

const Url = Schema.String.check(
  check<string>("required", (url) => url.trim() !== "", { minLength: 1 }),
  storable,
  check<string>("too_long", (url) => url.length <= 2048, { maxLength: 2048 })
).pipe(Schema.decodeTo(Schema.String, trimming))

const Events = Schema.Array(EventType).check(
  check<ReadonlyArray<string>>("required", (events) => events.length > 0, { minItems: 1 })
)

/** The input of a new endpoint. `AddressPolicy` decides whether the address may be called. */
export const EndpointInput = Schema.Struct({ url: Url, events: Events })
export type EndpointInput = typeof EndpointInput.Type

/** A change of an endpoint: at least one field. */
export const EndpointChanges = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events),
  status: Schema.optionalKey(oneOf(EndpointStatus))
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type EndpointChanges = typeof EndpointChanges.Type

/** An endpoint in a response. */
export const EndpointRecord = Schema.Struct({
  endpoint_id: Schema.Int,
  url: Schema.String,
  events: Schema.Array(EventType),
  status: EndpointStatus,
  allowed_transitions: Schema.Array(EndpointStatus),
  created_at: Schema.String,
  updated_at: Schema.String
})
export type EndpointRecord = typeof EndpointRecord.Type

/** The record of an endpoint. */
export const endpointRecord = (endpoint: Endpoint): EndpointRecord => ({
  endpoint_id: endpoint.endpoint_id,
  url: endpoint.url,
  events: endpoint.events,
  status: endpoint.status,
  allowed_transitions: endpointMachine.next(endpoint.status),
  created_at: rfc3339(endpoint.created_at),
  updated_at: rfc3339(endpoint.updated_at)
})

/** An endpoint that was just created, or whose secret was just replaced, with its secret, which is shown only here. */
export const CreatedEndpointRecord = Schema.Struct({ ...EndpointRecord.fields, secret: Schema.String })
export type CreatedEndpointRecord = typeof CreatedEndpointRecord.Type
