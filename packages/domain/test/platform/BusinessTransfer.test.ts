import {
  type AuditEntry,
  AuditLog,
  BusinessId,
  BusinessProfileRepository,
  BusinessRepository,
  BusinessRows,
  type BusinessRow,
  type BusinessTable,
  BusinessTransfer,
  Cryptography,
  ImportedBusinesses,
  Transaction
} from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"

const source = BusinessId.make(7)
const target = BusinessId.make(12)
const cars: BusinessTable = { table: "cars", key: ["car_id"], columns: ["car_id", "name"] }
const business = { business_name: "Hopper Cars", vendor_slug: "hopper-cars", status: "A" }
const rows: ReadonlyArray<BusinessRow> = ["Limousine", "Van", "a\u2028b"].map((name, nth) => ({
  table: "cars",
  row: { car_id: nth + 1, name }
}))
const sums = { cars: { rows: rows.length, sum: "12" } }

/** The ports of moves between installations, which these tests do not use. */
const noMoves = {} as never

/** The use case on a database of one business; `entries` and `stored` are what it wrote. */
const installation = () => {
  const entries: Array<AuditEntry> = []
  const stored: Array<BusinessRow> = []
  const Ports = Layer.mergeAll(
    Cryptography.layerWebCrypto,
    Layer.succeed(AuditLog, { record: (entry) => Effect.sync(() => void entries.push(entry)) }),
    Layer.succeed(Transaction, { run: (work) => work, afterCommit: (effect) => effect }),
    Layer.mock(BusinessRepository)({}),
    Layer.mock(BusinessProfileRepository)({}),
    Layer.mock(ImportedBusinesses)({
      find: () => Effect.succeedNone,
      insert: () => Effect.succeedSome(target),
      setStatus: () => Effect.void,
      departures: noMoves,
      arrivals: noMoves
    }),
    Layer.mock(BusinessRows)({
      shape: Effect.succeed({ business: Object.keys(business), tables: [cars] }),
      inSnapshot: (businessId, use) =>
        businessId === source
          ? Effect.asSome(
              use({
                plan: "pro",
                business,
                sums: Effect.succeed(sums),
                blocks: Effect.succeed({}),
                forEachBatch: (each) => each(rows),
                forEachBatchOf: (_rows, each) => each(rows)
              })
            )
          : Effect.succeedNone,
      count: () => Effect.succeed(0),
      insert: (_id, _table, given) => Effect.sync(() => void stored.push(...given)),
      link: () => Effect.void,
      reserveIds: () => Effect.void,
      sum: () => Effect.sync(() => ({ ...sums.cars, rows: stored.length }))
    })
  )
  const layer = BusinessTransfer.layer.pipe(Layer.provide(Ports))
  return { entries, stored, layer }
}

/** Exports the business and returns the lines. `complete` runs after the last one. */
const exported = (
  { layer }: ReturnType<typeof installation>,
  {
    businessId = source,
    complete = () => {}
  }: { readonly businessId?: BusinessId; readonly complete?: () => void } = {}
) =>
  Effect.gen(function* () {
    const transfer = yield* BusinessTransfer
    const lines: Array<string> = []
    const write = (line: string) => Effect.sync(() => void lines.push(line))
    const request = { businessId, actor: "cli:ada", write, onProgress: () => {} }
    yield* transfer.exportBusiness({ ...request, complete: Effect.sync(complete) })
    return lines
  }).pipe(Effect.provide(layer))

/** Imports a text, in pieces of seven characters. */
const imported = ({ layer }: ReturnType<typeof installation>, text: string) =>
  BusinessTransfer.use((transfer) =>
    transfer.importBusiness({
      file: "hopper.jsonl",
      text: Stream.fromIterable(text.match(/.{1,7}/gsu) ?? []),
      actor: "cli:bea",
      onProgress: () => {}
    })
  ).pipe(Effect.provide(layer))

describe("the move of a business", () => {
  it.effect("is in the audit log of the source once the file is complete, and not before", () =>
    Effect.gen(function* () {
      const place = installation()
      let before: number | undefined
      yield* exported(place, { complete: () => (before = place.entries.length) })
      assert.strictEqual(before, 0)
      assert.deepStrictEqual(place.entries, [
        {
          actor: "cli:ada",
          action: "business.exported",
          subject: "business:7",
          businessId: source,
          after: { rows: 3 }
        }
      ])
    })
  )

  it.effect("is not in the audit log if there is no such business, or if the file cannot be completed", () =>
    Effect.gen(function* () {
      const place = installation()
      const absent = yield* Effect.flip(exported(place, { businessId: target }))
      assert.strictEqual(absent._tag, "NotFound")
      const full = () => {
        throw new Error("the disk is full")
      }
      yield* Effect.exit(exported(place, { complete: full }))
      assert.deepStrictEqual(place.entries, [])
    })
  )

  it.effect(
    "has its beginning and its end in the audit log of the target, with the checksum of the file",
    () =>
      Effect.gen(function* () {
        const lines = yield* exported(installation())
        const { sha256 } = JSON.parse(lines.at(-1) ?? "") as { readonly sha256: string }
        const place = installation()
        const made = yield* imported(place, lines.join(""))
        assert.deepStrictEqual(made, { businessId: target, rows: 3, isResumed: false })
        assert.deepStrictEqual(
          place.entries.map(({ action, actor, after, subject }) => [action, actor, subject, after]),
          [
            ["business.import_started", "cli:bea", "business:12", { sha256, source_business_id: 7 }],
            ["business.imported", "cli:bea", "business:12", { rows: 3, source_business_id: 7 }]
          ]
        )
      })
  )

  it.effect("keeps line separators in texts, and accepts line ends of Windows", () =>
    Effect.gen(function* () {
      const text = (yield* exported(installation())).join("")
      for (const given of [text, text.replaceAll("\n", "\r\n")]) {
        const place = installation()
        yield* imported(place, given)
        assert.deepStrictEqual(place.stored, rows)
      }
    })
  )

  it.effect("writes nothing if the file was changed, is not complete, or has another format", () =>
    Effect.gen(function* () {
      const lines = yield* exported(installation())
      const text = lines.join("")
      for (const [changed, reason] of [
        [text.replace("Van", "Bus"), "hopper.jsonl was changed after the export: its checksum differs"],
        [lines.slice(0, -1).join(""), "hopper.jsonl is not a complete export of Livery"],
        ["", "hopper.jsonl is not a complete export of Livery"],
        [
          text.replace('"livery_export":2', '"livery_export":3'),
          "hopper.jsonl has format 3, and this Livery reads format 2: import it with the version that exported it"
        ]
      ] as const) {
        const place = installation()
        assert.strictEqual((yield* Effect.flip(imported(place, changed))).message, reason)
        assert.deepStrictEqual([place.entries, place.stored], [[], []])
      }
    })
  )
})
