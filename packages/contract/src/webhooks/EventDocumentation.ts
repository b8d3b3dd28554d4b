/**
 * The events in OpenAPI 3.1: a schema for each type, their union by `type`, which the feed lists, and under `webhooks` the
 * request that delivers each.
 */
import { Schema } from "effect"
import { objectOf } from "../openapi/Json.ts"
import { type EmittedEventType, EmittedEventType as EventTypes, eventData } from "@livery/domain/records"

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

const headers = [
  header("X-Service-Event", "The event's type."),
  header("X-Service-Delivery", "The event's id, the same in every attempt: de-duplicate on it."),
  header(
    "X-Service-Signature",
    '`t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>" keyed with the endpoint\'s secret>`; several ' +
      "`v1` while a secret is being replaced. Each attempt has a new signature."
  )
]

const bodyOf = (type: EmittedEventType) => {
  const document = Schema.toJsonSchemaDocument(
    Schema.Struct({
      id: Schema.String.annotate({ description: "`evt_` and 32 hex digits." }),
      type: Schema.Literal(type),
      created: Schema.Int.annotate({ description: "Unix seconds of the change." }),
      data: eventData[type].data,
      meta: Schema.Struct({
        business_id: Schema.Int,
        test: Schema.optionalKey(
          Schema.Literal(true).annotate({ description: "Present in sample events only." })
        )
      })
    })
  )
  return { schema: document.schema, definitions: document.definitions }
}

/** Inlines the definitions: the document's components are reserved for its routes. */
const resolved = (schema: unknown, definitions: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, definitions))
  if (typeof schema !== "object" || schema === null) return schema
  if ("$ref" in schema && typeof schema.$ref === "string")
    return resolved(definitions[schema.$ref.split("/").at(-1) ?? ""], definitions)
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== "additionalProperties" || value !== true)
      .map(([key, value]) => [key, resolved(value, definitions)])
  )
}

/** The name of the schema of an event: `TripCreatedEvent`. */
const schemaName = (type: EmittedEventType) =>
  `${type.replaceAll(/(?:^|\.)(\w)/gu, (_match, letter: string) => letter.toUpperCase())}Event`

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const schemas = {
  ...Object.fromEntries(
    EventTypes.literals.map((type) => {
      const { definitions, schema } = bodyOf(type)
      return [schemaName(type), resolved(schema, definitions)]
    })
  ),
  Event: {
    description: "An event. `type` says which record `data` is. Later versions may add types.",
    oneOf: EventTypes.literals.map((type) => referenceTo(schemaName(type))),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        EventTypes.literals.map((type) => [type, referenceTo(schemaName(type)).$ref])
      )
    }
  }
}

/** The schema of the feed's response, whose items are events. */
const listing = (body: unknown) => {
  const { properties, ...rest } = objectOf(body)
  const { data, ...others } = objectOf(properties)
  return {
    ...rest,
    properties: { data: { ...objectOf(data), items: referenceTo("Event") }, ...others }
  }
}

const operationOf = (type: EmittedEventType) => {
  return {
    post: {
      operationId: `events.${type}`,
      summary: eventData[type].when,
      description:
        "Payloads may gain fields. Any 2xx response acknowledges the event; otherwise it is sent again, up to six times in total.",
      tags: ["Events"],
      parameters: headers,
      requestBody: {
        required: true,
        content: { "application/json": { schema: referenceTo(schemaName(type)) } }
      },
      responses: { "2XX": { description: "Received" } }
    }
  }
}

/** Adds the events to the document; for `OpenApi.annotations({ transform })` of the API. */
export const withWebhooks = (document: Record<string, unknown>): Record<string, unknown> => {
  const components = objectOf(document["components"])
  const declared = objectOf(components["schemas"])
  return {
    ...document,
    components: {
      ...components,
      schemas: { ...declared, ...schemas, EventListBody: listing(declared["EventListBody"]) }
    },
    webhooks: Object.fromEntries(EventTypes.literals.map((type) => [type, operationOf(type)]))
  }
}
