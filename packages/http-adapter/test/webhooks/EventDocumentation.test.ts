import { EmittedEventType, sampleData } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { seller } from "../sales/QuoteSeller.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string>
}

interface Document {
  readonly openapi: string
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly summary: string
          readonly parameters: ReadonlyArray<{ readonly name: string }>
          readonly requestBody: {
            readonly content: { readonly "application/json": { readonly schema: JsonSchema } }
          }
        }
      }
    >
  >
}

/** A schema, or the one that it refers to. */
const resolved = (document: Document, schema: JsonSchema | undefined): JsonSchema | undefined => {
  const { components } = document
  const name = schema?.$ref?.split("/").at(-1)
  return name === undefined ? schema : resolved(document, components.schemas[name])
}

/** The fields that only some events of a type have: an excess payment has its kind and its currency. */
const fieldsOfSome: Readonly<Record<string, ReadonlyArray<string>>> = {
  "invoice.updated": ["fields"],
  "payment.succeeded": ["kind", "currency"]
}

layer(PortsInMemory)("openapi.json", (it) => {
  it.effect("lists the data of each event under webhooks, and no event that never happens", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { text } = yield* server.sendTo("GET", "/openapi.json")
      const document = JSON.parse(text) as Document
      const { openapi, webhooks } = document
      assert.strictEqual(openapi, "3.1.0")
      assert.deepStrictEqual(Object.keys(webhooks), [...EmittedEventType.literals])
      for (const type of EmittedEventType.literals) {
        const { parameters, requestBody, summary } = webhooks[type]?.post ?? assert.fail(type)
        assert.isNotEmpty(summary)
        assert.deepStrictEqual(
          parameters.map(({ name }) => name),
          ["X-Service-Event", "X-Service-Delivery", "X-Service-Signature"]
        )
        const schema = resolved(document, requestBody.content["application/json"].schema) ?? assert.fail(type)
        assert.includeMembers([...(schema.required ?? [])], ["id", "type", "created", "data", "meta"])
        assert.deepStrictEqual(schema.properties?.["type"]?.enum, [type])
        const data = resolved(document, schema.properties?.["data"])
        const optional = fieldsOfSome[type] ?? []
        assert.sameMembers(Object.keys(data?.properties ?? {}), [
          ...Object.keys(sampleData[type]),
          ...optional
        ])
        for (const field of optional) assert.notInclude(data?.required ?? [], field)
      }
    })
  )

  it.effect(
    "lists every field of an accepted quote, which is the record that `GET /quotes/{id}` returns",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { quote, send, step } = yield* seller(server)
        const { quote_id } = yield* quote()
        const accepted = record(yield* step(quote_id, "accept", { name: "Ada" }))
        const event = records(yield* send("GET", "/events")).find(({ type }) => type === "quote.accepted")
        assert.deepStrictEqual(event?.["data"], accepted)
        const { text } = yield* server.sendTo("GET", "/openapi.json")
        const document = JSON.parse(text) as Document
        const content = document.webhooks["quote.accepted"]?.post.requestBody.content["application/json"]
        const data = resolved(document, resolved(document, content?.schema)?.properties?.["data"])
        assert.sameMembers(Object.keys(data?.properties ?? {}), Object.keys(accepted))
        assert.sameMembers([...(data?.required ?? [])], Object.keys(accepted))
        const [item] = sampleData["quote.accepted"].items
        assert.sameMembers(
          Object.keys(item ?? {}),
          Object.keys((accepted["items"] as ReadonlyArray<object>)[0] ?? {})
        )
      })
  )
})
