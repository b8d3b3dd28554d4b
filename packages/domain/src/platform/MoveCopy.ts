/** The copy of a business for its move: its rows at the target become those of a snapshot (docs/operations/data.md). */
import { Effect } from "effect"
import { NotFound } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import type { OnProgress } from "../kernel/Progress.ts"
import type { MoveAnswer, MoveStep } from "./BusinessArrival.ts"
import type { StoredMove } from "./BusinessMoves.ts"
import { BusinessRows, type BusinessSnapshot, type RowValues, sumOfBlocks } from "./BusinessRows.ts"
import { ImportedBusinesses } from "./ImportedBusinesses.ts"
import { differenceOf, inSteps, keyOf, pick } from "./MovedRows.ts"

/** Sends a step to the target. */
export type SendStep<E> = (step: MoveStep) => Effect.Effect<MoveAnswer, E>

/** How a business is moved. */
export interface MoveOptions<E> {
  readonly businessId: BusinessId
  /** The address of the target, without a slash at its end. */
  readonly url: string
  /** Another slug for the booking page; by default the present one. */
  readonly slug?: string | undefined
  readonly send: SendStep<E>
  readonly onProgress: OnProgress
}

/** A copy that took less than so many milliseconds leaves little to be copied. */
const shortCopy = 3000

/** How often a business is copied while it is used. */
const aheadTurns = 3

/** A value as a text; empty if it is none. */
export const textOf = (value: unknown) => (typeof value === "string" ? value : "")

/** Makes the steps of a copy. */
export const makeMoveCopy = Effect.gen(function* () {
  const { departures: moves } = yield* ImportedBusinesses
  const stored = yield* BusinessRows

  const inSnapshot = Effect.fnUntraced(function* <A, E, R>(
    businessId: BusinessId,
    use: (snapshot: BusinessSnapshot) => Effect.Effect<A, E, R>
  ) {
    return yield* Effect.mapError(
      Effect.fromOption(yield* stored.inSnapshot(businessId, use, true)),
      () => new NotFound({ resource: "business" })
    )
  })

  /** What the target is told before anything is copied. */
  const announcement = Effect.fnUntraced(function* (
    { business, plan }: BusinessSnapshot,
    slug: string | undefined
  ) {
    const { tables } = yield* stored.linkedShape
    return {
      business,
      plan,
      slug: slug ?? textOf(business["vendor_slug"]),
      columns: Object.fromEntries(tables.map(({ columns, table }) => [table, columns]))
    }
  })

  /** Makes the rows at the target those of the snapshot. Returns the tables that differed, and the sums of all. */
  const bringRows = Effect.fnUntraced(function* <E>(
    snapshot: BusinessSnapshot,
    { move_id }: StoredMove,
    { onProgress, send }: Pick<MoveOptions<E>, "onProgress" | "send">
  ) {
    const { tables } = yield* stored.linkedShape
    const [here, there] = yield* Effect.all(
      [snapshot.blocks, Effect.map(send({ step: "compare", move_id }), ({ blocks }) => blocks)],
      { concurrency: 2 }
    )
    const sums = Object.fromEntries(tables.map(({ table }) => [table, sumOfBlocks(here[table] ?? {})]))
    const differing = tables.flatMap((table) => differenceOf(table, here[table.table], there[table.table]))
    const total = differing.reduce((rows, one) => rows + one.rows, 0)
    const sendRows = (step: "rows" | "link" | "remove", table: string, rows: ReadonlyArray<RowValues>) =>
      Effect.forEach(inSteps(rows), (group) => send({ step, move_id, table, rows: group }), {
        discard: true
      })

    const gone: Array<readonly [table: string, keys: ReadonlyArray<RowValues>]> = []
    for (const { stale, table } of differing.toReversed()) {
      if (stale.length === 0) continue
      const { keys } = yield* send({ step: "keys", move_id, table: table.table, blocks: stale })
      const kept = new Set<string>()
      yield* snapshot.forEachBatchOf({ table: table.table, blocks: stale }, (rows) =>
        Effect.sync(() => rows.forEach(({ row }) => kept.add(keyOf(table, row))))
      )
      gone.push([table.table, keys.filter((key) => !kept.has(keyOf(table, key)))])
    }
    // A row that is gone may keep the name that another one has now, or be referred to by rows that are not changed yet.
    const removeGone = Effect.forEach(gone, ([table, keys]) => sendRows("remove", table, keys), {
      discard: true
    })

    yield* removeGone
    let sent = 0
    for (const { blocks, isAbsent, stale, table } of differing) {
      const { refersToItself: column, table: name } = table
      const referring: Array<RowValues> = []
      yield* snapshot.forEachBatchOf(
        { table: name, ...(isAbsent ? {} : { blocks }) },
        Effect.fnUntraced(function* (rows) {
          const values = rows.map(({ row }) => row)
          yield* sendRows("rows", name, values)
          if (column !== undefined)
            for (const row of values)
              if (stale.length > 0 || row[column] !== null) referring.push(pick(row, [...table.key, column]))
          sent += rows.length
          onProgress(sent, total)
        })
      )
      yield* sendRows("link", name, referring)
    }
    yield* removeGone
    return { differing: differing.map(({ table }) => table.table), sums }
  })

  /** Announces the business and copies its rows. */
  const copyRows = Effect.fnUntraced(function* <E>(
    snapshot: BusinessSnapshot,
    move: StoredMove,
    options: MoveOptions<E>
  ) {
    yield* options.send({
      step: "begin",
      move_id: move.move_id,
      source_business_id: options.businessId,
      ...(yield* announcement(snapshot, options.slug))
    })
    return yield* bringRows(snapshot, move, options)
  })

  /** Copies the business while it is used, so that little is left to be copied while it takes no changes. */
  const copyAhead = Effect.fnUntraced(function* <E>(move: StoredMove, options: MoveOptions<E>) {
    for (let turn = 1; turn <= aheadTurns; turn++) {
      const began = Date.now()
      yield* inSnapshot(options.businessId, (snapshot) => copyRows(snapshot, move, options))
      if (Date.now() - began < shortCopy) return
    }
  })

  /** Copies what is left of a business that takes no changes. Returns the business at the target, and the sums. */
  const copyRest = <E>(move: StoredMove, options: MoveOptions<E>) =>
    inSnapshot(
      options.businessId,
      Effect.fnUntraced(function* (snapshot) {
        const { move_id } = move
        const { differing, sums } = yield* copyRows(snapshot, move, options)
        yield* options.send({
          step: "credentials",
          move_id,
          ...(yield* moves.credentials(options.businessId))
        })
        const sent = Object.entries(sums).filter(([table]) => differing.includes(table))
        const arrived = yield* options.send({
          step: "complete",
          move_id,
          tables: Object.fromEntries(sent)
        })
        return { arrived, sums }
      })
    )

  return { inSnapshot, announcement, copyAhead, copyRest }
})
