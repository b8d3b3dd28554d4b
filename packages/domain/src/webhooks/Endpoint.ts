/** A webhook endpoint: a URL, and the types of a business's events that are posted to it (docs/api/webhooks.md). */
import { Schema } from "effect"
import { listOf } from "../kernel/fields/List.ts"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Conflict } from "../kernel/Errors.ts"
import * as Field from "../kernel/fields/Field.ts"
import { check } from "../kernel/fields/FieldIssue.ts"
import { BusinessId, EndpointId } from "../kernel/Ids.ts"
import { omittable } from "../kernel/fields/Optional.ts"
import * as StateMachine from "../kernel/StateMachine.ts"
import { storable, trimming } from "../kernel/fields/Text.ts"
import { isEndpointAddress } from "../kernel/fields/WebAddress.ts"
import * as Value from "../kernel/fields/Value.ts"
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

/** A business has at most this many endpoints. */
export const maxEndpointsPerBusiness = 50

/** The error of an endpoint beyond {@link maxEndpointsPerBusiness}. */
export const tooManyEndpoints = () =>
  new Conflict({
    reason: `A business has at most ${maxEndpointsPerBusiness} webhook endpoints; delete one first`
  })

/** How many hours a replaced secret continues to sign, in addition to the new one. */
export const retiredSecretHours = 24

/** The most replaced secrets that still sign at the same time. */
export const maxRetiredSecrets = 10

const Url = Schema.String.check(
  check<string>("required", (url) => url.trim() !== "", { minLength: 1, format: "uri" }),
  storable,
  check<string>("too_long", (url) => url.length <= 2048, { maxLength: 2048 }),
  check<string>(
    "invalid",
    isEndpointAddress,
    { pattern: "^[^#]*$" },
    "addresses with https:// and a public host, without a user name, a password and a fragment (#)"
  )
).pipe(Schema.decodeTo(Schema.String, trimming))

/** The events of an endpoint, in any order. */
const Events = listOf(oneOf(EventType), { least: 1, most: 100 })

/** The fields of an endpoint. Its secret is stored apart, encrypted. */
export const endpointFields = Field.ofNobody({
  endpoint_id: Field.assigned(Value.id(EndpointId)),
  business_id: Field.internal(Value.id(BusinessId)),
  url: Field.required(Value.checkedText(Url, { maxLength: 2048 })),
  events: Field.required({ ...Value.unchanged(Schema.Array(EventType)), required: Events }),
  status: {
    ...Field.assigned(Value.oneOf(EndpointStatus)),
    change: omittable(oneOf(EndpointStatus))
  },
  allowed_transitions: Field.computed(Schema.Array(EndpointStatus)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
})

/** The input of a new endpoint. `AddressPolicy` decides whether the address may be called. */
export const EndpointInput = Field.inputOf(endpointFields)
export type EndpointInput = typeof EndpointInput.Type

/** A change of an endpoint: at least one field. */
export const EndpointChanges = Field.changesOf(endpointFields)
export type EndpointChanges = typeof EndpointChanges.Type

/** An endpoint as stored. */
export const Endpoint = Field.storedOf(endpointFields)
export type Endpoint = typeof Endpoint.Type

/** An endpoint in a response. */
export const EndpointRecord = Field.recordOf(endpointFields)
export type EndpointRecord = typeof EndpointRecord.Type

const encode = Field.encoderOf<typeof endpointFields, void>(endpointFields, {
  allowed_transitions: ({ status }) => endpointMachine.next(status, "operator")
})

/** The record of an endpoint. */
export const endpointRecord = (endpoint: Endpoint): EndpointRecord => encode(endpoint)

/** An endpoint that was just created, or whose secret was just replaced, with its secret, which is shown only here. */
export const CreatedEndpointRecord = Schema.Struct({ ...EndpointRecord.fields, secret: Schema.String })
export type CreatedEndpointRecord = typeof CreatedEndpointRecord.Type
