/** The contract of `ImportRepository`. */
import { ImportRepository, type LineOutcome } from "@livery/domain"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, now, wholeList } from "./Given.ts"

const columns = [{ header: "Name", field: "name" }]
const later = DateTime.add(now, { hours: 1 })

const given = Effect.gen(function* () {
  const imports = yield* ImportRepository
  const business_id = yield* newBusiness
  const started = yield* imports.start(
    { business_id, kind: "customers", dry_run: false, columns, day_first: true, delimiter: ";" },
    [2, 3, 5].map((line) => ({ line, cells: [`Ada ${line}`] })),
    now
  )
  const place = { business_id, import_id: started.import_id }
  const found = Effect.map(imports.find(business_id, started.import_id), Option.getOrThrow)
  return { business_id, found, imports, place, started }
})

const outcome = (
  line: number,
  status: LineOutcome["status"],
  reasons: ReadonlyArray<string> = []
): LineOutcome => ({
  line,
  status,
  record_id: status === "refused" ? null : line,
  reasons
})

export const importRepository = contract("imports", (it) => {
  it.effect("have their lines in the order of the file, of which those without an outcome wait", () =>
    Effect.gen(function* () {
      const { found, imports, place, started } = yield* given
      assert.deepInclude(started, { columns, lines: 3, made: 0, refused: 0, finished_at: null })
      assert.deepStrictEqual(
        (yield* imports.waiting(place, 2)).map(({ cells, line }) => [line, cells]),
        [
          [2, ["Ada 2"]],
          [3, ["Ada 3"]]
        ]
      )
      yield* imports.record(place, [outcome(2, "made"), outcome(3, "refused", ["email invalid"])])
      assert.deepInclude(yield* found, { made: 1, matched: 0, changed: 0, refused: 1 })
      assert.deepStrictEqual(
        (yield* imports.waiting(place, 10)).map(({ line }) => line),
        [5]
      )
      const refused = yield* imports.lines(place, "refused", wholeList)
      assert.deepStrictEqual(refused.items, [
        { line: 3, cells: ["Ada 3"], status: "refused", record_id: null, reasons: ["email invalid"] }
      ])
      assert.lengthOf((yield* imports.lines(place, undefined, wholeList)).items, 3)
    })
  )

  it.effect("that have ended are neither listed as unfinished nor locked", () =>
    Effect.gen(function* () {
      const { business_id, found, imports, place } = yield* given
      const isListed = Effect.map(imports.unfinished(1000), (places) =>
        places.some(({ import_id }) => import_id === place.import_id)
      )
      assert.isTrue(yield* isListed)
      assert.isTrue(Option.isSome(yield* imports.lock(place)))
      yield* imports.update({ ...(yield* found), attempts: 5, reason: "Broken", finished_at: later })
      assert.deepInclude(yield* found, { attempts: 5, reason: "Broken" })
      assert.isFalse(yield* isListed)
      assert.isTrue(Option.isNone(yield* imports.lock(place)))
      assert.isTrue(Option.isNone(yield* imports.find(yield* newBusiness, place.import_id)))
      assert.isTrue(Option.isSome(yield* imports.find(business_id, place.import_id)))
    })
  )

  it.effect("are listed for their business, the latest first, with or without those that store nothing", () =>
    Effect.gen(function* () {
      const { business_id, imports, started } = yield* given
      const rehearsed = yield* imports.start(
        { business_id, kind: "cars", dry_run: true, columns, day_first: true, delimiter: "," },
        [],
        later
      )
      const listed = (dry_run?: boolean) =>
        Effect.map(imports.list(business_id, { dry_run }, wholeList), ({ items }) =>
          items.map(({ import_id }) => import_id)
        )
      assert.deepStrictEqual(yield* listed(), [rehearsed.import_id, started.import_id])
      assert.deepStrictEqual(yield* listed(false), [started.import_id])
      assert.deepStrictEqual(yield* listed(true), [rehearsed.import_id])
      const other = yield* newBusiness
      assert.lengthOf((yield* imports.list(other, {}, wholeList)).items, 0)
    })
  )

  it.effect("that ended long ago keep their counts and lose their lines", () =>
    Effect.gen(function* () {
      const { found, imports, place } = yield* given
      yield* imports.record(place, [outcome(2, "made")])
      yield* imports.update({ ...(yield* found), finished_at: now })
      yield* imports.removeLines(now)
      assert.lengthOf((yield* imports.lines(place, undefined, wholeList)).items, 3)
      yield* imports.removeLines(later)
      assert.lengthOf((yield* imports.lines(place, undefined, wholeList)).items, 0)
      assert.deepInclude(yield* found, { lines: 3, made: 1 })
    })
  )
})
