/**
 * The source's side of a move of a business to another installation (docs/operations/data.md).
 *
 * One commit here changes the home of the business, from this installation to the target (`BusinessMoves.complete`). Before it, the
 * copy at the target is suspended; after it, this one is. So the business has one home at any time, and each step can be repeated.
 */
import { DateTime, Duration, Effect, Option } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { Conflict } from "../kernel/Errors.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { totalRows } from "./BusinessExport.ts"
import type { LeftBehind, StoredMove, Unfinished } from "./BusinessMoves.ts"
import { ImportedBusinesses, transferActions } from "./ImportedBusinesses.ts"
import { makeMoveCopy, type MoveOptions, type SendStep, textOf } from "./MoveCopy.ts"

/** What a move of a business does. */
export interface MovePlan {
  readonly business_name: string
  readonly slug: string
  /** Whether a move has begun or ended. */
  readonly state: StoredMove["state"] | null
  readonly rows: number
  /** How many rows of each table move. */
  readonly tables: Readonly<Record<string, number>>
  readonly api_keys: number
  readonly webhook_endpoints: number
  readonly stays: LeftBehind
  readonly unfinished: Unfinished
}

/** A business that was moved. */
export interface MoveResult {
  readonly business_id: number
  readonly slug: string
  readonly rows: number
  /** How long the business took no changes, in milliseconds; 0 if its data had been moved before. */
  readonly paused_ms: number
}

/**
 * How long changes are refused after the move. Requests that were admitted before it may change the copy until then: a client has
 * half a minute to send a body.
 */
const lateRequests = Duration.seconds(40)

/** Makes the use cases of a move from this installation. */
export const makeBusinessMove = Effect.gen(function* () {
  const { departures: moves } = yield* ImportedBusinesses
  const { announcement, copyAhead, copyRest, inSnapshot } = yield* makeMoveCopy
  const cryptography = yield* Cryptography
  const writeAudit = yield* makeAuditTrail

  const record = Effect.fnUntraced(function* (
    businessId: BusinessId,
    action: string,
    move: StoredMove,
    more: Readonly<Record<string, boolean>> = {}
  ) {
    yield* writeAudit({
      actor: yield* CurrentActor,
      action,
      subject: `business:${businessId}`,
      businessId,
      after: { move_id: move.move_id, target_url: move.target_url, ...more }
    })
  })

  const requireMove = Effect.fnUntraced(function* (businessId: BusinessId) {
    return yield* Effect.mapError(
      Effect.fromOption(yield* moves.find(businessId)),
      () => new Conflict({ reason: `Business ${businessId} is not being moved, and has not been moved` })
    )
  })

  const requireNoCardPayments = Effect.fnUntraced(function* (businessId: BusinessId) {
    const { card_payments, erasures, imports } = yield* moves.unfinished(businessId)
    const open = Object.entries({
      "payments by card": card_payments,
      "imports of tables": imports,
      "erasures of persons": erasures
    }).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]))
    if (open.length > 0)
      return yield* new Conflict({
        reason: `${open.join(", ")} have not ended: wait for them, or cancel them, and try again`
      })
  })

  /** Takes changes here again, unless the target is the home. */
  const resume = Effect.fnUntraced(function* (businessId: BusinessId) {
    const move = Option.getOrUndefined(yield* moves.find(businessId))
    if (move?.state === "copying") yield* moves.unpause(businessId)
  })

  /** Copies the business and makes the target its home. */
  const bring = Effect.fnUntraced(function* <E>(move: StoredMove, options: MoveOptions<E>) {
    const { businessId } = options
    yield* requireNoCardPayments(businessId)
    yield* copyAhead(move, options)
    const began = Date.now()
    yield* Effect.gen(function* () {
      yield* moves.pause(businessId)
      yield* requireNoCardPayments(businessId)
      const { arrived, sums } = yield* copyRest(move, options)
      const { business_id: target, slug } = arrived
      if (
        target === null ||
        slug === null ||
        !(yield* moves.complete(move, { businessId: target, slug, sums }))
      )
        return yield* new Conflict({
          reason: `The move of business ${businessId} was given up meanwhile, and it stays here`
        })
    }).pipe(Effect.onError(() => Effect.ignoreCause(resume(businessId))))
    yield* record(businessId, transferActions.moved, move)
    return Date.now() - began
  })

  /** Runs work on the move of a business, if no other program does so. */
  const alone = Effect.fnUntraced(function* <A, E, R>(businessId: BusinessId, work: Effect.Effect<A, E, R>) {
    const done = yield* moves.alone(businessId, work)
    if (Option.isSome(done)) return done.value
    return yield* new Conflict({
      reason: `Another livery move of business ${businessId} runs: wait until it ends, or end it`
    })
  })

  const moveAlone = Effect.fnUntraced(function* <E>(options: MoveOptions<E>) {
    const { businessId, send, url } = options
    const move = yield* moves.start({
      business_id: businessId,
      move_id: Base64Url.encode(yield* cryptography.randomBytes(16)),
      target_url: url
    })
    if (move.target_url !== url)
      return yield* new Conflict({
        reason: `Business ${businessId} is being moved to ${move.target_url}, or was: name that address, or end the move with --abort`
      })
    if (move.state === "aborting")
      return yield* new Conflict({
        reason: `The former move of business ${businessId} was given up, and its copy at ${url} is not discarded: --abort does that; if that installation is lost, --abort --without-target forgets the copy`
      })
    const paused_ms = move.state === "copying" ? yield* bring(move, options) : 0
    const opened = yield* send({ step: "open", move_id: move.move_id, active: move.was_active })
    const { sums, target_business_id } = yield* requireMove(businessId)
    return {
      business_id: target_business_id ?? 0,
      slug: opened.slug ?? "",
      rows: totalRows(sums ?? {}),
      paused_ms
    } satisfies MoveResult
  })

  const settle = Effect.fnUntraced(function* (businessId: BusinessId) {
    const { moved_at } = yield* requireMove(businessId)
    if (moved_at === null) return
    const end = DateTime.addDuration(moved_at, lateRequests)
    yield* Effect.sleep(DateTime.distance(yield* DateTime.now, end))
    yield* moves.unpause(businessId)
  })

  const abort = Effect.fnUntraced(function* <E>(
    businessId: BusinessId,
    sendTo: ((url: string) => SendStep<E>) | null
  ) {
    const move = yield* requireMove(businessId)
    if (!(yield* moves.abort(businessId)))
      return yield* new Conflict({
        reason: `Business ${businessId} has moved to ${move.target_url} already: move it back from there`
      })
    yield* moves.unpause(businessId)
    if (sendTo !== null) yield* sendTo(move.target_url)({ step: "discard", move_id: move.move_id })
    yield* moves.remove(businessId)
    yield* record(businessId, transferActions.moveAborted, move, { copy_discarded: sendTo !== null })
  })

  const finish = Effect.fnUntraced(function* (businessId: BusinessId) {
    const move = yield* requireMove(businessId)
    if (move.state !== "moved" && move.state !== "finished")
      return yield* new Conflict({ reason: `The move of business ${businessId} is not complete` })
    yield* settle(businessId)
    if (move.state === "moved") {
      const { card_payments, deliveries } = yield* moves.unfinished(businessId)
      if (deliveries > 0 || card_payments > 0)
        return yield* new Conflict({
          reason: `${deliveries} webhook deliveries and ${card_payments} payments by card have not ended`
        })
      const tables = yield* inSnapshot(businessId, ({ sums }) => sums)
      const changed = Object.entries(tables).flatMap(([table, { rows, sum }]) =>
        move.sums?.[table]?.rows === rows && move.sums[table].sum === sum ? [] : [table]
      )
      if (changed.length > 0)
        return yield* new Conflict({
          reason: `${changed.join(", ")} changed here after the move: compare them with business ${move.target_business_id} at ${move.target_url} first`
        })
    }
    yield* moves.finish(businessId)
    yield* record(businessId, transferActions.moveFinished, move)
  })

  return {
    /** What a move would do, and what it would leave. `NotFound` if there is no such business. */
    plan: traced("BusinessMove.plan")(function* (businessId: BusinessId) {
      const { business, tables } = yield* inSnapshot(businessId, ({ business, sums }) =>
        Effect.map(sums, (tables) => ({ business, tables }))
      )
      const { endpoints, keys } = yield* moves.credentials(businessId)
      const move = Option.getOrUndefined(yield* moves.find(businessId))
      return {
        business_name: textOf(business["business_name"]),
        slug: textOf(business["vendor_slug"]),
        state: move?.state ?? null,
        rows: totalRows(tables),
        tables: Object.fromEntries(Object.entries(tables).map(([table, { rows }]) => [table, rows])),
        api_keys: keys.length,
        webhook_endpoints: endpoints.length,
        stays: yield* moves.leftBehind(businessId),
        unfinished: yield* moves.unfinished(businessId)
      } satisfies MovePlan
    }),

    /** Asks the target whether it would take the business. `Conflict` if card payments, imports or erasures have not ended. */
    check: traced("BusinessMove.check")(function* <E>({
      businessId,
      send,
      slug
    }: Pick<MoveOptions<E>, "businessId" | "send" | "slug">) {
      const announced = yield* inSnapshot(businessId, (snapshot) => announcement(snapshot, slug))
      yield* send({ step: "check", ...announced })
      yield* requireNoCardPayments(businessId)
    }),

    /**
     * Moves a business, or continues a move that was interrupted. Until the copy is complete, this installation answers reads
     * and refuses changes; from then on it redirects. `Conflict` if a former move of the business went to another target, was
     * given up, or is finished.
     */
    move: traced("BusinessMove.move")(function* <E>(options: MoveOptions<E>) {
      return yield* alone(options.businessId, moveAlone(options))
    }),

    /** Ends the refusal of changes here, once no request from before the move can come. It can be repeated, as `move` can. */
    settle: traced("BusinessMove.settle")((businessId: BusinessId) => alone(businessId, settle(businessId))),

    /**
     * Gives up a move that is not complete: this installation takes changes again, and the copy at the target is discarded.
     * Without `sendTo`, the copy stays there. `Conflict` if the target is the home of the business already.
     */
    abort: traced("BusinessMove.abort")(
      <E>(businessId: BusinessId, sendTo: ((url: string) => SendStep<E>) | null) =>
        alone(businessId, abort(businessId, sendTo))
    ),

    /**
     * Erases the data of a business that has moved; the redirects stay. `Conflict` if deliveries or card payments have not ended, or
     * if a row differs from what was moved.
     */
    finish: traced("BusinessMove.finish")((businessId: BusinessId) => alone(businessId, finish(businessId)))
  }
})
