import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Exit, Schema, SchemaAST } from "effect"
import { sentFieldsDecoder } from "../../src/http/decoding/SentFields.ts"
import { apiRoutes } from "../../src/RouteTable.ts"

type AnyCodec = Schema.Codec<unknown, unknown>

const bodyOptions = { errors: "all", reportInput: true } as const
const queryOptions = { ...bodyOptions, onExcessProperty: "error" } as const

/** The bodies and queries of the contract that are structs, with the options that they are decoded with. */
const structs = apiRoutes.flatMap(({ endpoint, method, pattern }) => {
  const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) =>
    schemas.length === 1 ? (schemas as ReadonlyArray<AnyCodec>) : []
  )
  const query = endpoint.query as AnyCodec | undefined
  return [
    ...bodies.map((schema) => ({ name: `${method} ${pattern}`, schema, options: bodyOptions })),
    ...(query === undefined
      ? []
      : [
          {
            name: `the query of ${method} ${pattern}`,
            schema: Schema.toCodecArrayFromSingle(query),
            options: queryOptions
          }
        ])
  ].filter(({ schema }) => SchemaAST.isObjects(schema.ast))
})

/** The literals in a schema, as far as it is a union of them. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<unknown> => {
  if (SchemaAST.isLiteral(ast)) return [ast.literal]
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(literalsOf) : []
}

/** Values of which every field takes some and refuses others. */
const samples: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  1,
  2.5,
  -3,
  129.95,
  1e9,
  "",
  " ",
  "1",
  "0.5",
  "true",
  "Grand Hotel",
  " Airport ",
  "ada@livery.test",
  "+41441234567",
  "https://livery.test/hook",
  "2031-05-04",
  "2031-05",
  "2031-05-04T09:00:00Z",
  "09:30",
  "Europe/Zurich",
  "CHF",
  "chf",
  "CH",
  "de",
  "#a1b2c3",
  "a-long-enough-password",
  "trip.created",
  "owner",
  "cash",
  "android",
  "S",
  "suspend",
  "FREQ=WEEKLY;COUNT=3",
  "on_the_way",
  "GET",
  "form",
  [],
  [1, 2],
  ["trip.created"],
  ["Airport"],
  [{ address: "Airport" }],
  [{ description: "Ride", quantity: 1, unit_price: 10 }],
  [{ vehicle_class: "sedan" }],
  [{ invoice_id: 1, amount: 10 }],
  {},
  { key: "value" },
  { path: null, values: ["queued"] },
  { lat: 47.4, lng: 8.5 },
  [{ lat: 47.4, lng: 8.5, recorded_at: "2026-11-20T09:00:00Z" }]
]

const result = (exit: Exit.Exit<unknown, Schema.SchemaError>) =>
  Exit.isSuccess(exit) ? { value: exit.value } : { error: String(exit.cause) }

/** How many inputs each struct decodes. */
const inputs = 100

/** Lists of numbers below 1,000, of which each decides about one field of an input. */
const choices = (length: number) =>
  Arbitrary.sampleEffect(
    Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))), {
      minLength: length,
      maxLength: length
    }),
    { count: inputs, seed: 7 }
  )

const pick = (values: ReadonlyArray<unknown>, choice: number) => values[choice % values.length]

/**
 * Random inputs of a struct. Half of the optional fields and 1 in 40 required ones are absent, 1 in 40 has any value, and the
 * others have a value that they take. One input in ten has a field that the struct does not have.
 */
const inputsOf = Effect.fnUntraced(function* (ast: SchemaAST.Objects, options: SchemaAST.ParseOptions) {
  const fields = ast.propertySignatures.map(({ name, type }) => {
    const decode = Schema.decodeUnknownExit(Schema.make<AnyCodec>(type), options)
    const values = [...samples, ...literalsOf(SchemaAST.toEncoded(type))]
    const taken = values.filter((value) => Exit.isSuccess(decode(value)))
    const isRequired = !SchemaAST.isOptional(SchemaAST.toEncoded(type))
    return { name: String(name), isRequired, values, taken: taken.length === 0 ? values : taken }
  })
  const lists = yield* choices(fields.length + 1)
  return lists.map(([last = 0, ...list]) =>
    Object.fromEntries([
      ...fields.flatMap(({ isRequired, name, taken, values }, at) => {
        const choice = list[at] ?? 0
        if (choice % 40 === 1) return [[name, pick(values, choice)]]
        const isSent = choice % 2 === 0 || (isRequired && choice % 40 !== 3)
        return isSent ? [[name, pick(taken, Math.floor(choice / 2))]] : []
      }),
      ...(last % 10 === 1 ? [["unknown", 1]] : []),
      ...(last % 10 === 2 ? [["__proto__", { force: true }]] : [])
    ])
  )
})

describe("the decoder of sent fields", () => {
  it.effect("decodes and refuses what Effect does, for every body and query of the contract", () =>
    Effect.gen(function* () {
      const neverDecoded: Array<string> = []
      for (const { name, options, schema } of structs) {
        const decodeAll = Schema.decodeUnknownExit(schema, options)
        const decode = sentFieldsDecoder(schema, decodeAll, options)
        const exits = (yield* inputsOf(schema.ast as SchemaAST.Objects, options)).map((input) => {
          const exit = decode(input)
          assert.deepStrictEqual(result(exit), result(decodeAll(input)), name)
          return exit
        })
        for (const input of [null, undefined, [], [{}], "text", 1, {}])
          assert.deepStrictEqual(result(decode(input)), result(decodeAll(input)), name)
        if (!exits.some(Exit.isSuccess)) neverDecoded.push(name)
      }
      assert.deepStrictEqual(neverDecoded, [])
    })
  )

  it("gives requests no list or object that one could change for the others", () => {
    const schema = Schema.Struct({
      stops: Schema.Array(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
      metadata: Schema.Record(Schema.String, Schema.String).pipe(
        Schema.withDecodingDefaultKey(Effect.sync(() => ({})))
      )
    })
    const decode = sentFieldsDecoder(schema, Schema.decodeUnknownExit(schema))
    const record = Effect.runSync(decode({})) as { stops: Array<string>; metadata: object }
    assert.throws(() => record.stops.push("Airport"), TypeError)
    assert.throws(() => Object.assign(record.metadata, { key: "value" }), TypeError)
    assert.deepStrictEqual(Effect.runSync(decode({})), { stops: [], metadata: {} })
  })

  it("gives each request a value of its own if freezing it would not keep it from changes", () => {
    const at = Schema.Date.pipe(Schema.withDecodingDefaultTypeKey(Effect.sync(() => new Date(0))))
    const schema = Schema.Struct({ at })
    const decode = sentFieldsDecoder(schema, Schema.decodeUnknownExit(schema))
    const record = Effect.runSync(decode({})) as { at: Date }
    record.at.setTime(1)
    assert.deepStrictEqual(Effect.runSync(decode({})), { at: new Date(0) })
  })

  it("decodes and refuses what Effect does, also for schemas that the contract does not have", () => {
    const name = Schema.optionalKey(Schema.String)
    const isShort = Schema.makeFilter<{ readonly name?: string }>((record) => (record.name?.length ?? 0) < 4)
    const schemas: Readonly<Record<string, AnyCodec>> = {
      "a struct with a group of checks": Schema.Struct({ name }).check(Schema.makeFilterGroup([isShort])),
      "a struct whose fields have other names on the wire": Schema.Struct({ name }).pipe(
        Schema.encodeKeys({ name: "n" })
      ),
      "a struct with further fields of any name": Schema.StructWithRest(Schema.Struct({ name }), [
        Schema.Record(Schema.String, Schema.String)
      ]),
      "no struct": Schema.String
    }
    for (const [title, schema] of Object.entries(schemas)) {
      const decodeAll = Schema.decodeUnknownExit(schema)
      const decode = sentFieldsDecoder(schema, decodeAll)
      for (const input of [
        {},
        { name: "Ada" },
        { name: "Augusta" },
        { n: "Ada" },
        { n: 1 },
        { other: "x" },
        "Ada"
      ])
        assert.deepStrictEqual(result(decode(input)), result(decodeAll(input)), title)
    }
  })

  it("gives each request a list of its own if the list has items", () => {
    const terms = Schema.Array(Schema.String).pipe(
      Schema.withDecodingDefaultKey(Effect.sync(() => ["net 30"]))
    )
    const schema = Schema.Struct({ terms })
    const decode = sentFieldsDecoder(schema, Schema.decodeUnknownExit(schema))
    const record = Effect.runSync(decode({})) as { terms: Array<string> }
    record.terms.push("late")
    assert.deepStrictEqual(Effect.runSync(decode({})), { terms: ["net 30"] })
  })
})
