/** The JSON bodies of the contract as OpenAPI describes them, and bodies of permitted size that cost the most to read. */
import { Api, callerKindsOf, documentedOperations } from "@livery/contract"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { resolveReference, type JsonSchema } from "../../../../test/support/JsonSchema.ts"
import { routesOf } from "../../src/http/pipeline/Routes.ts"
import { assignment, driverOf } from "./Drivers.ts"
import { business } from "./People.ts"
import type { Answer, TestServer } from "./TestServer.ts"

interface Bounded extends JsonSchema {
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Bounded>>
  readonly items?: Bounded
  readonly anyOf?: ReadonlyArray<Bounded>
  readonly oneOf?: ReadonlyArray<Bounded>
  readonly allOf?: ReadonlyArray<Bounded>
}

/** A field of a body: its path, joined by dots, and its schema. */
interface BodyField {
  readonly path: string
  readonly schema: Bounded
}

/** A JSON body: its route, and its fields at every depth. */
export interface RequestBody {
  readonly method: string
  readonly path: string
  readonly fields: ReadonlyArray<BodyField>
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Bounded }>> }
}

const document = OpenApi.fromApi(Api)

const fieldsOf = (schema: Bounded, at: string): ReadonlyArray<BodyField> => {
  if (schema.$ref !== undefined) return fieldsOf(resolveReference(document, schema.$ref) as Bounded, at)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [
    ...(at === "" ? [] : [{ path: at, schema }]),
    ...choices.flatMap((choice) => fieldsOf(choice, at)),
    ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${at}.0`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      fieldsOf(inner, at === "" ? name : `${at}.${name}`)
    )
  ]
}

/** Every JSON body of the contract. */
export const requestBodies: ReadonlyArray<RequestBody> = documentedOperations(document).flatMap(
  ({ method, operation, path }) => {
    const { requestBody } = operation as Operation
    const schema = requestBody?.content["application/json"]?.schema
    return schema === undefined ? [] : [{ method, path, fields: fieldsOf(schema, "") }]
  }
)

const repeated = (text: string, length: number) => text.repeat(Math.floor(length / text.length))

/** Values of `length` characters of JSON that are expensive to read, by what is expensive about them. */
export const worstValues: Readonly<Record<string, (length: number) => string>> = {
  "a long text": (length) => JSON.stringify("x".repeat(length)),
  "a text of spaces": (length) => JSON.stringify(`x${" ".repeat(length)}x`),
  "a text of pairs": (length) => JSON.stringify(repeated("\u{1f600}", length / 2)),
  "a long address": (length) => JSON.stringify(`a@${repeated("a.", length)}!`),
  "a long number": (length) => "1".repeat(length),
  "a list of objects": (length) => `[${repeated("{},", length)}{}]`,
  "a list of lists": (length) => `[${repeated("[],", length)}[]]`,
  "a list of numbers": (length) => `[${repeated("1,", length)}1]`,
  "a deep list": (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  "a deep object": (length) => `${repeated('{"a":', length)}1${"}".repeat(Math.floor(length / 5))}`,
  "an object of many fields": (length) =>
    `{${Array.from({ length: length / 11 }, (_, at) => `"${at.toString(36)}k":1`).join(",")}}`
}

/** A body of about `size` characters whose fields all have that value. */
export const worstBody = (
  { fields }: RequestBody,
  worst: (length: number) => string,
  size: number
): string => {
  const names = [...new Set(fields.map(({ path }) => path.split(".")[0] ?? ""))]
  const each = Math.floor(size / names.length) - 100
  return `{${names.map((name) => `${JSON.stringify(name)}:${worst(each)}`).join(",")}}`
}

/** Sends a text to the route of a body, as a permitted caller. */
export const senderOf = Effect.fnUntraced(function* (server: TestServer) {
  const acme = yield* business(server)
  const driver = yield* driverOf(server, acme.businessId)
  const job = yield* assignment(acme.businessId)
  return ({ method, path }: RequestBody, text: string): Effect.Effect<Answer> => {
    const pattern = path.replaceAll(/\{(\w+)\}/gu, ":$1")
    const route = routesOf(Api).find((it) => it.method === method && it.pattern === pattern)
    const [callerKind] = route === undefined ? [] : callerKindsOf(route.endpoint)
    const address = path.replaceAll(/\{\w+\}/gu, "999999999")
    switch (callerKind) {
      case "business":
        return server.sendTo(method, address, { text, credential: acme.key })
      case "driver":
        return server.sendTo(method, address, { text, credential: driver.token })
      case "driverToken":
        return server.sendTo(method, `${address}?token=${job.token}`, { text })
      default:
        return server.sendTo(method, address, { text, credential: acme.token })
    }
  }
})
