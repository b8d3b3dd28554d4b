/**
 * Idempotency: requests that may be sent twice and are carried out once.
 *
 * The key is claimed, the work done and its response stored in one transaction. A concurrent request with the same key
 * waits for the end of the first and then gets its response. If the work failed or the process ended, the transaction
 * was rolled back, and the next request does the work. So a crash neither loses the work nor repeats it.
 *
 * Work that runs a transaction of its own joins this one: its rollback undoes only its own writes, and the key stays
 * claimed.
 */
import { Context, Duration, Effect, Layer, Option, Scope } from "effect"
import { makeBulkhead, makeKeyedSemaphore } from "../concurrency/Bulkhead.ts"
import { Cryptography } from "../security/Cryptography.ts"
import { Conflict, TooManyRequests } from "../Errors.ts"
import { IdempotencyStore, repeatTimeout, stillRunning } from "./IdempotencyStore.ts"
import { Transaction } from "../Transaction.ts"

/** How long a request waits for a slot of its bulkhead. */
const slotTimeout = Duration.seconds(2)

/**
 * A request under an idempotency key. `caller` and `key` identify it, `content` is the request's content. `scope` and
 * `tenant` choose its slot in the bulkhead: one tenant may make requests as many callers. `callsOut` is true for work
 * that waits for an outside server.
 */
export interface IdempotentRequest {
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

/** The outcome of a request: the result of its work, or the response that was stored for it. */
export type Outcome<A> =
  | { readonly _tag: "Executed"; readonly result: A }
  | { readonly _tag: "Replayed"; readonly response: string }

/**
 * How many idempotent requests run concurrently on one node. Each holds a connection to the database: eight of the
 * default ten, so that requests without a key can be served too. Public requests have fewer slots and cannot take those
 * of the businesses.
 */
const slots = {
  business: { total: 5, perTenant: 2, outgoing: { total: 2, perTenant: 1 } },
  public: { total: 3, perTenant: 1, outgoing: { total: 2, perTenant: 1 } }
}

const noSlot = () => new TooManyRequests({ retryAfterSeconds: 1 })

/** Runs work when it is its turn for the key, in a slot of its bulkhead. */
const makeAdmission = Effect.gen(function* () {
  const bulkheads = {
    business: yield* makeBulkhead(slots.business),
    public: yield* makeBulkhead(slots.public)
  }
  // Of many requests with one key on this node, only the first waits in the database.
  const turnOf = yield* makeKeyedSemaphore(1)
  return <A, E, R>(
    key: string,
    { callsOut, scope, tenant }: IdempotentRequest,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Conflict | TooManyRequests, R> =>
    Effect.acquireUseRelease(
      Scope.make(),
      (held) =>
        turnOf(key).pipe(
          Effect.timeoutOrElse({ duration: repeatTimeout, orElse: () => Effect.fail(stillRunning()) }),
          Effect.andThen(
            bulkheads[scope](tenant, callsOut).pipe(
              Effect.timeoutOrElse({ duration: slotTimeout, orElse: () => Effect.fail(noSlot()) })
            )
          ),
          Scope.provide(held),
          Effect.andThen(work)
        ),
      Scope.close
    )
})

/**
 * - `run`: does the work, unless the same request has a stored response. Fails with `Conflict` if the key was used for
 *   another request, if the first one runs for too long, or if its response can no longer be read; with
 *   `TooManyRequests` if the bulkhead is full. Work that fails or dies leaves nothing.
 */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    readonly run: <A, E, R>(
      request: IdempotentRequest,
      work: Effect.Effect<Completed<A>, E, R>
    ) => Effect.Effect<Outcome<A>, E | Conflict | TooManyRequests, R>
  }
>()("@livery/domain/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const transaction = yield* Transaction
      const cryptography = yield* Cryptography
      const admitted = yield* makeAdmission
      return Idempotency.of({
        run: Effect.fn("Idempotency.run")(function* <A, E, R>(
          request: IdempotentRequest,
          work: Effect.Effect<Completed<A>, E, R>
        ): Effect.fn.Return<Outcome<A>, E | Conflict | TooManyRequests, R> {
          const key = yield* cryptography.sha256(`${request.caller}\n${request.key}`)
          const content = yield* cryptography.sha256(request.content)
          return yield* admitted(
            key,
            request,
            transaction.run(
              Effect.gen(function* (): Effect.fn.Return<Outcome<A>, E | Conflict, R> {
                const stored = yield* store.claim(key)
                if (Option.isSome(stored)) {
                  if (stored.value.content === content)
                    return { _tag: "Replayed", response: stored.value.response }
                  return yield* new Conflict({ reason: "This Idempotency-Key was used for another request" })
                }
                const { response, result } = yield* work
                yield* response === undefined ? store.release(key) : store.save(key, { content, response })
                return { _tag: "Executed", result }
              }),
              { repeatable: !request.callsOut }
            )
          )
        })
      })
    })
  )
}
