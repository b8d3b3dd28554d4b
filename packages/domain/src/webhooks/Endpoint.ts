/** A webhook endpoint: where a business's events are posted, and which ones (specification, Webhook endpoint). */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Conflict } from "../kernel/Errors.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import type { BusinessId, EndpointId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { storable, trimming } from "../kernel/fields/Text.ts"
import { rfc3339 } from "../kernel/time/WallClock.ts"
import { EventType } from "../events/EventType.ts"

/** `disabled` endpoints get no events; never set without being asked. */
export const EndpointStatus = Schema.Literals(["enabled", "disabled"])
export type EndpointStatus = typeof EndpointStatus.Type

/** `enabled ⇄ disabled`, whenever the operator says so. */
export const endpointMachine = StateMachine.make<EndpointStatus>(
  "webhook endpoint",
  EndpointStatus.literals,
  { enabled: { disabled: ["operator"] }, disabled: { enabled: ["operator"] } }
)

/** An endpoint as stored. Its secret is sealed and leaves only in the answer that creates it. */
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

/** One endpoint more than that is refused so. */
export const tooManyEndpoints = () =>
  new Conflict({
    reason: `A business has at most ${endpointsPerBusiness} webhook endpoints; delete one first`
  })

/** How long a secret that was replaced still signs beside the new one. */
export const retiredSecretHours = 24

/** So many replaced secrets may still sign at once. */
export const retiredSecretsAtMost = 10

const Url = Schema.String.check(
  check<string>("required", (url) => url.trim() !== "", { minLength: 1 }),
  storable,
  check<string>("too_long", (url) => url.length <= 2048, { maxLength: 2048 })
).pipe(Schema.decodeTo(Schema.String, trimming))

const Events = Schema.Array(EventType).check(
  check<ReadonlyArray<string>>("required", (events) => events.length > 0, { minItems: 1 })
)

/** What `POST /webhooks` takes. Whether the address may be called is the {@link AddressPolicy}'s to say. */
export const EndpointInput = Schema.Struct({ url: Url, events: Events })
export type EndpointInput = typeof EndpointInput.Type

/** What `PATCH /webhooks/{id}` takes: at least one of these. */
export const EndpointChanges = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events),
  status: Schema.optionalKey(oneOf(EndpointStatus))
}).check(check<object>("required", (changes) => Object.keys(changes).length > 0, { minProperties: 1 }))
export type EndpointChanges = typeof EndpointChanges.Type

/** An endpoint in an answer. */
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

/** The endpoint that was just created, or whose secret was just replaced: with its secret, for the only time. */
export const CreatedEndpointRecord = Schema.Struct({ ...EndpointRecord.fields, secret: Schema.String })
export type CreatedEndpointRecord = typeof CreatedEndpointRecord.Type

/**
 * The port that stores endpoints. What was deleted is absent to all of these, though its deliveries are kept.
 *
 * - `insert`: a new enabled endpoint with its sealed secret; {@link tooManyEndpoints} if the business has
 *   {@link endpointsPerBusiness} already, also of several at once.
 * - `list`: the business's endpoints, the oldest first.
 * - `find`: the business's endpoint of that id; `None` if absent or another business's.
 * - `hold`: the same, and nobody else changes it until the transaction ends.
 * - `update`: how the endpoint stands from now on.
 * - `replaceSecret`: signs with a new secret from now on; the old one still signs for {@link retiredSecretHours}.
 *   `None`, and nothing changed, while {@link retiredSecretsAtMost} do so.
 * - `remove`: disables it and puts it out of sight for good, and forgets its secrets.
 */
export class EndpointRepository extends Context.Service<
  EndpointRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      endpoint: {
        readonly url: string
        readonly events: ReadonlyArray<EventType>
        readonly sealedSecret: string
      }
    ) => Effect.Effect<Endpoint, Conflict>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<Endpoint>>
    readonly find: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<Option.Option<Endpoint>>
    readonly hold: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<Option.Option<Endpoint>>
    readonly update: (
      businessId: BusinessId,
      endpointId: EndpointId,
      standing: Pick<Endpoint, "url" | "events" | "status">
    ) => Effect.Effect<Endpoint>
    readonly replaceSecret: (
      businessId: BusinessId,
      endpointId: EndpointId,
      sealedSecret: string
    ) => Effect.Effect<Option.Option<Endpoint>>
    readonly remove: (businessId: BusinessId, endpointId: EndpointId) => Effect.Effect<void>
  }
>()("@livery/domain/EndpointRepository") {}

/**
 * The port that tells which addresses may be called at all: `https`, no credentials in the URL, no literal
 * address outside global unicast. What a name resolves to is checked again at each attempt, when it is called.
 */
export class AddressPolicy extends Context.Service<
  AddressPolicy,
  { readonly allows: (url: string) => boolean }
>()("@livery/domain/AddressPolicy") {}
