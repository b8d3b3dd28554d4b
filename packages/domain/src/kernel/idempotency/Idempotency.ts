/**
 * Idempotency: requests that may be sent twice and are carried out once.
 *
 * The key is claimed, the work done and its response stored in one transaction. A concurrent request with the same key
 * waits for the end of the first and then gets its response. If the work failed or the process ended, the transaction
 * was rolled back, and the next request does the work. So a crash neither loses the work nor repeats it. Work that runs
 * a transaction of its own joins this one: its rollback undoes only its own writes, and the key stays claimed.
 *
 * Work that waits for an outside server (`callsOut`) runs without a transaction, so that it holds no connection meanwhile.
 * A short transaction claims the key with a lease, and another one stores the response. If the process ends in between,
 * the next request does the work again when the lease has ended, except for the parts that were committed
 * (`CurrentRequestParts.ts`).
 */
import { Context, DateTime, Duration, Effect, Layer, Option, Schedule, Scope } from "effect"
import { makeBulkhead, makeKeyedSemaphore } from "../concurrency/Bulkhead.ts"
import { Conflict, TooManyRequests } from "../Errors.ts"
import type { BusinessId } from "../Ids.ts"
import { Unavailable } from "../Faults.ts"
import { Cryptography } from "../security/Cryptography.ts"
import { Transaction } from "../Transaction.ts"
import {
  type EarlierRequest,
  IdempotencyStore,
  repeatTimeout,
  type StoredRequest,
  stillRunning
} from "./IdempotencyStore.ts"
import { ResponseRetention } from "./ResponseRetention.ts"
import { CurrentRequestParts, type RequestParts } from "./CurrentRequestParts.ts"
import { traced } from "../TracedFunction.ts"

/** How long a request waits for a slot of its bulkhead. */
const slotTimeout = Duration.seconds(2)

/** How long a lease lasts if the process that took it ends: longer than any work. */
const leaseTime = Duration.minutes(1)

/** How often a request checks whether the first one, on another node, has ended. */
const pollInterval = Duration.millis(200)

/**
 * A request under an idempotency key. `caller` and `key` identify it, `content` is the request's content. `scope` and
 * `tenant` choose its slot in the bulkhead: one tenant may make requests as many callers. `callsOut` is true for work
 * that waits for an outside server: it needs no slot. `business_id` is the business whose data the response has, so that an
 * erasure of that business reaches it; null if it is no business's.
 */
export interface IdempotentRequest {
  readonly business_id: BusinessId | null
  readonly scope: "business" | "public"
  readonly tenant: string
  readonly callsOut: boolean
  readonly caller: string
  readonly key: string
  readonly content: string
}

/**
 * The outcome of work: its own result, and the response to store, serialised. With `undefined`, nothing is stored, and
 * the next request with the key does the work again.
 */
export interface Completed<A> {
  readonly result: A
  readonly response: string | undefined
}

/**
 * A use of something that may be used once, such as a displayed price. `name` is what the caller sent, for messages; `key`
 * identifies it, and `content` is the rest of the request.
 */
export interface SingleUse {
  readonly business_id: BusinessId
  readonly name: string
  readonly key: string
  readonly content: string
}

/** The outcome of a request: the result of its work, or the response that was stored for it. */
export type Outcome<A> =
  | { readonly _tag: "Executed"; readonly result: A }
  | { readonly _tag: "Replayed"; readonly response: string }

/**
 * How many idempotent requests run in a transaction at once on one node. Each holds a connection to the database: eight
 * of the default ten, so that other requests can be served too. Public requests have fewer slots and cannot take those of
 * the businesses.
 */
const slots = {
  business: { total: 5, perTenant: 2 },
  public: { total: 3, perTenant: 1 }
}

/** What is stored of a request before its work. `content` is the digest of its content. */
type NewRequest = Pick<StoredRequest, "business_id" | "content">

const noSlot = () => new TooManyRequests({ retryAfterSeconds: 1 })

/** The response of an earlier request; `undefined` if it has none. `Conflict` if the key was used for other content. */
const replay = (earlier: EarlierRequest, content: string, name = "Idempotency-Key") => {
  if (earlier.content !== content)
    return Effect.fail(
      new Conflict({
        reason: `This ${name} was used for another request`,
        records: [{ type: name.toLowerCase().replace("-", "_"), state: "used" }]
      })
    )
  const { response } = earlier
  return Effect.succeed(response === undefined ? undefined : { _tag: "Replayed" as const, response })
}

/** Returns functions that run the work of one key at a time, with or without a slot of the bulkhead. */
const makeAdmission = Effect.gen(function* () {
  const bulkheads = {
    business: yield* makeBulkhead(slots.business),
    public: yield* makeBulkhead(slots.public)
  }
  // Of many requests with one key on this node, only the first waits in the database.
  const lockKey = yield* makeKeyedSemaphore(1)
  const withKeyLock =
    <Q, E2>(slot: (request: Q) => Effect.Effect<void, E2, Scope.Scope>) =>
    <A, E, R>(key: string, request: Q, work: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Scope.make(),
        (held) =>
          lockKey(key).pipe(
            Effect.timeoutOrElse({ duration: repeatTimeout, orElse: () => Effect.fail(stillRunning()) }),
            Effect.andThen(slot(request)),
            Scope.provide(held),
            Effect.andThen(work)
          ),
        Scope.close
      )
  return {
    withKeyLock: withKeyLock((_request: unknown) => Effect.void),
    withKeyLockAndSlot: withKeyLock(({ scope, tenant }: IdempotentRequest) =>
      bulkheads[scope](tenant).pipe(
        Effect.timeoutOrElse({ duration: slotTimeout, orElse: () => Effect.fail(noSlot()) })
      )
    )
  }
})

/** Runs work that needs no connection while it waits, under a lease of its key. */
const makeLeasing = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const transaction = yield* Transaction
  const retention = yield* ResponseRetention

  /** The lease of a key; `undefined` while another request holds it. */
  const tryClaim = Effect.fnUntraced(function* (key: string, request: NewRequest) {
    const { earlier, lease } = yield* store.claim(key, retention())
    const known = Option.getOrUndefined(earlier)
    const replayed = known === undefined ? undefined : yield* replay(known, request.content)
    if (replayed !== undefined) return replayed
    const now = yield* DateTime.now
    const leasedUntil = known?.leased_until ?? null
    if (leasedUntil !== null && DateTime.isGreaterThan(leasedUntil, now)) return undefined
    const taken = Option.getOrUndefined(yield* store.lease(key, lease, DateTime.addDuration(now, leaseTime)))
    if (taken === undefined) return undefined
    const stored: StoredRequest = { ...request, parts: known?.parts ?? {} }
    yield* store.save(key, taken, stored)
    return { _tag: "Leased" as const, lease: taken, stored }
  })

  const waitForClaim = (key: string, request: NewRequest) =>
    transaction.run(tryClaim(key, request)).pipe(
      Effect.repeat({ while: (claim) => claim === undefined, schedule: Schedule.spaced(pollInterval) }),
      Effect.timeoutOrElse({ duration: repeatTimeout, orElse: () => Effect.fail(stillRunning()) }),
      Effect.filterOrFail((claim) => claim !== undefined, stillRunning)
    )

  return Effect.fnUntraced(function* <A, E, R>(
    key: string,
    request: NewRequest,
    work: Effect.Effect<Completed<A>, E, R>
  ): Effect.fn.Return<Outcome<A>, E | Conflict, R> {
    const claim = yield* waitForClaim(key, request)
    if (claim._tag === "Replayed") return claim
    const { lease } = claim
    let { parts } = claim.stored

    const requestParts: RequestParts = {
      id: key,
      done: (name) => parts[name],
      once: (name, part) =>
        Effect.suspend(() => {
          const known = parts[name]
          if (known !== undefined) return Effect.succeed(JSON.parse(known))
          return transaction.run(
            Effect.gen(function* () {
              const result = yield* part
              const next = { ...parts, [name]: JSON.stringify(result) }
              if (!(yield* store.save(key, lease, { ...request, parts: next })))
                return yield* Effect.die(
                  new Unavailable({ reason: "The request took too long", retryAfterSeconds: 1 })
                )
              yield* transaction.afterCommit(Effect.sync(() => void (parts = next)))
              return result
            })
          )
        })
    }

    /** Releases the key for the next request. A request with committed parts stays stored. */
    const releaseKey = Effect.suspend(() =>
      transaction.run(
        Object.keys(parts).length === 0
          ? store.release(key, lease)
          : Effect.flatMap(DateTime.now, (now) => store.lease(key, lease, now))
      )
    )

    const finished = Effect.flatMap(
      Effect.provideService(work, CurrentRequestParts, requestParts),
      (done) => {
        const { response } = done
        return Effect.as(
          response === undefined
            ? releaseKey
            : transaction.run(store.save(key, lease, { ...request, response, parts })),
          done.result
        )
      }
    )
    return {
      _tag: "Executed",
      result: yield* Effect.onError(finished, () => Effect.ignoreCause(releaseKey))
    }
  })
})

/** The text of a stored response with that record, in the form of the responses that the HTTP adapter stores. */
const responseText = (record: unknown) =>
  JSON.stringify({ status: 201, body: JSON.stringify(record), headers: {} })

/** The record in a {@link responseText}, as JSON. */
const recordIn = (response: string) => (JSON.parse(response) as { readonly body: string }).body

export class Idempotency extends Context.Service<Idempotency>()("@livery/domain/Idempotency", {
  make: Effect.gen(function* () {
    const store = yield* IdempotencyStore
    const transaction = yield* Transaction
    const cryptography = yield* Cryptography
    const retention = yield* ResponseRetention
    const { withKeyLockAndSlot, withKeyLock } = yield* makeAdmission
    const leased = yield* makeLeasing

    /** Does the work and stores its response in the current transaction. */
    const atomic = Effect.fnUntraced(function* <A, E, R>(
      key: string,
      request: NewRequest,
      work: Effect.Effect<Completed<A>, E, R>,
      name?: string
    ): Effect.fn.Return<Outcome<A>, E | Conflict, R> {
      const { earlier, lease } = yield* store.claim(key, retention())
      if (Option.isSome(earlier))
        return (yield* replay(earlier.value, request.content, name)) ?? (yield* stillRunning())
      const { response, result } = yield* work
      yield* response === undefined
        ? store.release(key, lease)
        : store.save(key, lease, { ...request, response, parts: {} })
      return { _tag: "Executed", result }
    })

    return {
      /**
       * Does the work of a single use, unless it was done: then it returns the first result, which must be plain JSON. Fails
       * with `Conflict` if it was used for another request. It takes no slot, because the work is one transaction anyway.
       */
      once: traced("Idempotency.once")(function* <A, E, R>(
        { business_id, content, key, name }: SingleUse,
        work: Effect.Effect<A, E, R>
      ): Effect.fn.Return<A, E | Conflict, R> {
        const digest = yield* cryptography.sha256(`once:${name}\n${key}`)
        // With the key, which is not stored: a copy of the database does not show whether a guessed content was sent.
        const request = { business_id, content: yield* cryptography.sha256(`${key}\n${content}`) }
        const completed = Effect.map(work, (result) => ({ result, response: responseText(result) }))
        const outcome = yield* withKeyLock(
          digest,
          request,
          transaction.run(atomic(digest, request, completed, name))
        )
        if (outcome._tag === "Executed") return outcome.result
        const first: A = JSON.parse(recordIn(outcome.response))
        return first
      }),

      /**
       * Does the work, unless the same request has a stored response. Fails with `Conflict` if the key was used for
       * another request, if the first one runs for too long, or if its response can no longer be read; with
       * `TooManyRequests` if the bulkhead is full. Work that fails or dies leaves nothing, except for the committed
       * parts of work that calls out.
       */
      run: traced("Idempotency.run")(function* <A, E, R>(
        request: IdempotentRequest,
        work: Effect.Effect<Completed<A>, E, R>
      ): Effect.fn.Return<Outcome<A>, E | Conflict | TooManyRequests, R> {
        const key = yield* cryptography.sha256(`${request.caller}\n${request.key}`)
        const content = yield* cryptography.sha256(request.content)
        const { business_id } = request
        const stored: NewRequest = { business_id, content }
        return yield* request.callsOut
          ? withKeyLock(key, request, leased(key, stored, work))
          : withKeyLockAndSlot(key, request, transaction.run(atomic(key, stored, work)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Idempotency, Idempotency.make)
}
