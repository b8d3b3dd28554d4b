/**
 * `livery api GROUP OPERATION --field value`: every operation of the contract whose request and response are JSON. The groups,
 * operations and flags are read from the OpenAPI document, so a new route needs no new command.
 */
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OpenApi } from "effect/http-api"
import { Api, documentedOperations, documentPath } from "@livery/contract"
import { readFile } from "node:fs/promises"
import { addressOf, signedInToken } from "../../remote/AdminServer.ts"
import { type Method, requestTo, serverAddress } from "../../remote/RemoteServer.ts"
import { standardInput } from "../../terminal/StandardInput.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { InvalidUsage } from "../../usage/InvalidUsage.ts"

/** The part of a JSON schema that decides how the text of a flag is read. */
interface FieldSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<FieldSchema>
  readonly oneOf?: ReadonlyArray<FieldSchema>
  readonly allOf?: ReadonlyArray<FieldSchema>
  readonly description?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: ReadonlyArray<string>
}

type Content = Readonly<
  Record<string, { readonly schema?: FieldSchema; readonly example?: Readonly<Record<string, unknown>> }>
>

/** The part of an operation of the OpenAPI document that a command is made from. */
interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema?: FieldSchema
  }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** An operation with its method, its path, and the schema and an example of its body. */
interface Route extends Operation {
  readonly method: Method
  readonly path: string
  readonly body: FieldSchema | undefined
  readonly example: Readonly<Record<string, unknown>>
}

const json = "application/json"

const document = OpenApi.fromApi(Api) as unknown as {
  readonly paths: Readonly<Record<string, object>>
  readonly components: { readonly schemas: Readonly<Record<string, FieldSchema>> }
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}

const resolved = (schema: FieldSchema): FieldSchema => {
  const name = schema.$ref?.split("/").at(-1)
  const target = name === undefined ? undefined : document.components.schemas[name]
  return target === undefined ? schema : resolved(target)
}

/** The types that a schema permits. */
const typesOf = (schema: FieldSchema): ReadonlySet<string> => {
  const { allOf = [], anyOf = [], oneOf = [], type = [] } = resolved(schema)
  return new Set([...[type].flat(), ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => [...typesOf(part)])])
}

const isJson = (content: Content | undefined) => content === undefined || json in content

const routes: ReadonlyArray<Route> = documentedOperations(document).flatMap((documented) => {
  const operation = documented.operation as unknown as Operation
  const path = documentPath(documented.path)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
  const isPlain = isJson(operation.requestBody?.content) && isJson(success?.content)
  // A route outside of the base address is for probes.
  if (!isPlain || path === documented.path) return []
  const { example = {}, schema: body } = operation.requestBody?.content[json] ?? {}
  return {
    ...operation,
    method: documented.method as Method,
    path,
    body: body === undefined ? undefined : resolved(body),
    example
  }
})

/** A name of the contract as a word of the command line. */
const wordOf = (name: string) =>
  name
    .replaceAll("_", "-")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-")
    .toLowerCase()

/** The value of a flag's text: a number, `true`, `false`, `null` or JSON where the schema takes no text. */
const valueOf = (schema: FieldSchema, text: string): Effect.Effect<unknown, string> => {
  const types = typesOf(schema)
  if (types.has("string") || types.size === 0) return Effect.succeed(text)
  return Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => text
  }).pipe(
    // The server says what is wrong with a text in place of a number.
    Effect.catch(() =>
      types.has("array") || types.has("object") ? Effect.fail("is not JSON") : Effect.succeed(text)
    )
  )
}

/** A flag of an operation: where its value goes, and how its text is read. */
interface Field {
  readonly name: string
  readonly place: string
  readonly schema: FieldSchema
  readonly description: string
}

/** The description of a field that the contract does not describe. */
const named = (name: string) => `The field ${name}`

const fieldsOf = ({ body, parameters = [] }: Route): ReadonlyArray<Field> => [
  ...parameters.map(({ description, in: place, name, schema = {} }) => ({
    name,
    place,
    schema,
    description: description ?? named(name)
  })),
  ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    name,
    place: "body",
    schema,
    description: schema.description ?? resolved(schema).description ?? named(name)
  }))
]

/** The values that a field takes, in its description. */
const describedField = ({ description, schema }: Field, isRequired: boolean) => {
  const { enum: values = [] } = resolved(schema)
  const types = typesOf(schema)
  const form = types.has("object") || types.has("array") ? ["as JSON"] : []
  const accepted = values.length === 0 ? [] : [`one of ${values.join(", ")}`]
  const notes = [...(isRequired ? ["required"] : []), ...form, ...accepted].join("; ")
  return [description, notes === "" ? "" : `(${notes})`].filter((part) => part !== "").join(" ")
}

const Response = Schema.Struct({
  data: Schema.Unknown,
  meta: Schema.Struct({ pagination: Schema.optionalKey(Schema.Unknown) })
})

/** The body that `--data` gives: JSON, `@FILE`, or `-` for standard input. */
const bodyOf = Effect.fnUntraced(function* (given: Option.Option<string>, command: string) {
  if (Option.isNone(given)) return {}
  const wrong = (reason: string) => new InvalidUsage({ reason: `--data ${reason}`, command })
  const { value } = given
  const text = value.startsWith("@")
    ? yield* Effect.tryPromise({
        try: () => readFile(value.slice(1), "utf8"),
        catch: () => wrong(`names a file that cannot be read`)
      })
    : value === "-"
      ? yield* standardInput
      : value
  return yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))(
    text
  ).pipe(Effect.mapError(() => wrong("is not a JSON object")))
})

/** The credential of an operation: LIVERY_API_KEY where a business's key is accepted, otherwise the tokens of `livery login`. */
const tokenFor = ({ security = [] }: Route, address: string) => {
  const schemes = security.flatMap((scheme) => Object.keys(scheme))
  const key = process.env["LIVERY_API_KEY"] ?? ""
  if (schemes.length === 0 || schemes.includes("driver_token"))
    return Effect.succeed<string | undefined>(undefined)
  if (schemes.includes("business_credential") && key !== "") return Effect.succeed(key)
  return signedInToken(address)
}

const serverFlag = Flag.String("server").pipe(
  Flag.withDefault(serverAddress()),
  Flag.withDescription("The address of the server; by default LIVERY_URL, else http://localhost:3000")
)

const dataFlag = Flag.String("data").pipe(
  Flag.optional,
  Flag.withDescription("The body as JSON, @FILE, or - for standard input; the flags of fields complete it")
)

/** A word of a shell's command line. */
const quoted = (word: string) => (/^[\w.:@/+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** A command line with the required fields of an operation. */
const exampleOf = (command: string, { body, example }: Route, inPath: ReadonlyArray<Field>) => {
  const fields = (body?.required ?? []).flatMap((name) => {
    const value = example[name]
    return [`--${wordOf(name)}`, quoted(typeof value === "string" ? value : JSON.stringify(value))]
  })
  const path = inPath.map(({ schema }) => (typesOf(schema).has("integer") ? "7" : "VALUE"))
  return [command, ...path, ...fields].join(" ")
}

const commandOf = (route: Route) => {
  const [group = "", operation = ""] = route.operationId.split(".").map(wordOf)
  const command = `livery api ${group} ${operation}`
  const fields = fieldsOf(route)
  const required = new Set(route.body?.required ?? [])
  const inPath = fields.filter(({ place }) => place === "path")
  const flagged = fields.filter(({ place }) => place !== "path")
  const path = Object.fromEntries(
    inPath.map((field) => [
      field.name,
      Argument.String(wordOf(field.name)).pipe(Argument.withDescription(field.description))
    ])
  )
  const flags = Object.fromEntries(
    flagged.map((field) => [
      `${field.place} ${field.name}`,
      Flag.String(wordOf(field.name)).pipe(
        Flag.optional,
        Flag.withDescription(describedField(field, field.place === "body" && required.has(field.name)))
      )
    ])
  )
  const hasBody = route.body !== undefined

  const run = Effect.fn(function* (input: {
    readonly server: string
    readonly data: Option.Option<string>
    readonly path: Readonly<Record<string, string>>
    readonly flags: Readonly<Record<string, Option.Option<string>>>
  }) {
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    const payload: Record<string, unknown> = yield* bodyOf(input.data, command)
    for (const field of flagged) {
      const given = input.flags[`${field.place} ${field.name}`]
      if (given === undefined || Option.isNone(given)) continue
      if (field.place === "query") query.set(field.name, given.value)
      else if (field.place === "header") headers[field.name] = given.value
      else
        payload[field.name] = yield* valueOf(field.schema, given.value).pipe(
          Effect.mapError(
            (reason) => new InvalidUsage({ reason: `--${wordOf(field.name)} ${reason}`, command })
          )
        )
    }
    const address = yield* addressOf(input.server)
    const request = requestTo(address, yield* tokenFor(route, address))
    const target = inPath.reduce(
      (text, { name }) => text.replace(`{${name}}`, encodeURIComponent(input.path[name] ?? "")),
      route.path
    )
    const { data, meta } = yield* request(
      route.method,
      query.size === 0 ? target : `${target}?${query.toString()}`,
      { schema: Response, headers, ...(hasBody ? { payload } : {}) }
    )
    const { pagination } = meta
    yield* Console.log(JSON.stringify(pagination === undefined ? data : { data, pagination }, undefined, 2))
  })

  return Command.make(
    operation,
    { server: serverFlag, data: hasBody ? dataFlag : Flag.withHidden(dataFlag), path, flags },
    run
  ).pipe(
    Command.withDescription(route.summary ?? route.operationId),
    Command.withExamples([{ command: exampleOf(command, route, inPath), description: "" }])
  )
}

const groups = Map.groupBy(routes, ({ operationId }) => operationId.split(".")[0] ?? "")

const groupCommands = [...groups].map(([group, operations]) =>
  Command.make(wordOf(group)).pipe(
    Command.withDescription(
      operations.map(({ operationId }) => wordOf(operationId.split(".")[1] ?? "")).join(", ")
    ),
    Command.withSubcommands(operations.map(commandOf))
  )
)

/** The command with a subcommand for each group of the contract. */
export const api = Command.make("api").pipe(
  Command.withDescription(descriptions.api),
  Command.withSubcommands(groupCommands)
)
