/**
 * Requests that may be sent twice and are carried out once.
 *
 * The key is taken, the work done and its answer kept in one transaction. Whoever comes with the same key meanwhile
 * waits for its end and then reads the answer; if there is none, since the work came to grief or the process ended,
 * nothing of it is left, and the next one does it. So a crash can neither lose the work nor repeat it.
 *
 * Work that runs a transaction of its own joins this one: what it rolls back is undone to where it began, and the
 * key stays taken.
 */
import { Context, Duration, Effect, Layer, Option, Schema, Scope } from "effect"
import { Cryptography } from "./Cryptography.ts"
import { Conflict, TooManyRequests } from "./Errors.ts"
import { makeRooms, oneByOne } from "./Rooms.ts"
import { Transaction } from "./Transaction.ts"

/** How long an answer is kept. */
export const answersKept = Duration.hours(24)

/** How long a second request waits for the first, in the database and before it. */
export const retryPatience = Duration.seconds(10)

/** How long a request waits for a room to be carried out in. */
const roomPatience = Duration.seconds(2)

/** An answer that can be given again: its status, its body as text, and what headers say of that body. */
export const RepeatableAnswer = Schema.Struct({
  status: Schema.Int,
  body: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String)
})
export type RepeatableAnswer = typeof RepeatableAnswer.Type

/** What is kept of a request: what it was, as a digest, and its answer. */
export const KeptAnswer = Schema.Struct({ content: Schema.String, answer: RepeatableAnswer })
export type KeptAnswer = typeof KeptAnswer.Type

/** The refusal of a request whose first has not ended within {@link retryPatience}. */
export const stillRunning = () =>
  new Conflict({ reason: "A request with this Idempotency-Key is still running; try again in a moment" })

/** The refusal of a request that was answered before, with an answer that nobody can open any more. */
export const shownNoLonger = () =>
  new Conflict({
    reason: "A request with this Idempotency-Key was carried out, and its answer can no longer be shown"
  })

/**
 * The port that keeps answers, sealed. All of it belongs in a transaction.
 *
 * - `take`: takes the key, waiting for whoever has it in another transaction. `Some` if that one left an answer,
 *   or an earlier one did that is not older than {@link answersKept}; `None` if it is now taken. Waits for
 *   {@link retryPatience} at most, and fails with {@link stillRunning} then; with {@link shownNoLonger} if there is an
 *   answer that was sealed under another secret.
 * - `keep`: the answer of the key that was taken.
 * - `release`: gives the key up without an answer.
 */
export class KeptAnswers extends Context.Service<
  KeptAnswers,
  {
    readonly take: (key: string) => Effect.Effect<Option.Option<KeptAnswer>, Conflict>
    readonly keep: (key: string, kept: KeptAnswer) => Effect.Effect<void>
    readonly release: (key: string) => Effect.Effect<void>
  }
>()("@livery/domain/KeptAnswers") {}

/**
 * A request that names itself. `caller` and `key` say which it is, `content` what it asks for; `door` is the way it
 * came in by, `guest` who counts as one there, however many callers it makes itself. `asksOthers` if its work waits
 * for somebody else's server.
 */
export interface NamedRequest {
  readonly door: "business" | "public"
  readonly guest: string
  readonly asksOthers: boolean
  readonly caller: string
  readonly key: string
  readonly content: string
}

/** What came of work: its own result, and what of it can be given again; without that, the work may be repeated. */
export interface Worked<A> {
  readonly result: A
  readonly repeatable: RepeatableAnswer | undefined
}

/** What came of a request: the result of the work, or the answer that the same request had before. */
export type Once<A> =
  | { readonly _tag: "Done"; readonly result: A }
  | { readonly _tag: "Again"; readonly answer: RepeatableAnswer }

/**
 * How many may be at work at once on one node, each with a connection in its hand: eight of the ten that a node has
 * unless told otherwise, so that what names no key is served beside them. Strangers have fewer, and cannot take those
 * of the businesses.
 */
const rooms = {
  business: { all: 5, ofGuest: 2, asking: { all: 2, ofGuest: 1 } },
  public: { all: 3, ofGuest: 1, asking: { all: 2, ofGuest: 1 } }
}

const noRoom = () => new TooManyRequests({ retryAfterSeconds: 1 })

/** One line for each key: of many on this node only the first waits in the database. */
const makeLines = () => {
  const doors = { business: makeRooms(rooms.business), public: makeRooms(rooms.public) }
  const first = oneByOne()
  return <A, E, R>(
    key: string,
    { asksOthers, door, guest }: NamedRequest,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Conflict | TooManyRequests, R> =>
    Effect.acquireUseRelease(
      Scope.make(),
      (place) =>
        first(key).pipe(
          Effect.timeoutOrElse({ duration: retryPatience, orElse: () => Effect.fail(stillRunning()) }),
          Effect.andThen(
            doors[door](guest, asksOthers).pipe(
              Effect.timeoutOrElse({ duration: roomPatience, orElse: () => Effect.fail(noRoom()) })
            )
          ),
          Scope.provide(place),
          Effect.andThen(work)
        ),
      Scope.close
    )
}

/**
 * - `once`: does the work unless the same request was answered before; `Conflict` if the key stands for another
 *   request, if the first one runs for too long, or if its answer cannot be shown any more. `TooManyRequests` if too
 *   many others are at work, whatever their keys. Work that fails or dies leaves nothing.
 */
export class SafeRetries extends Context.Service<
  SafeRetries,
  {
    readonly once: <A, E, R>(
      request: NamedRequest,
      work: Effect.Effect<Worked<A>, E, R>
    ) => Effect.Effect<Once<A>, E | Conflict | TooManyRequests, R>
  }
>()("@livery/domain/SafeRetries") {
  static readonly layer = Layer.effect(
    SafeRetries,
    Effect.gen(function* () {
      const answers = yield* KeptAnswers
      const transaction = yield* Transaction
      const cryptography = yield* Cryptography
      const inLine = makeLines()
      return SafeRetries.of({
        once: Effect.fn("SafeRetries.once")(function* <A, E, R>(
          request: NamedRequest,
          work: Effect.Effect<Worked<A>, E, R>
        ): Effect.fn.Return<Once<A>, E | Conflict | TooManyRequests, R> {
          const { caller, content, key } = request
          const name = yield* cryptography.sha256(`${caller}\n${key}`)
          const asked = yield* cryptography.sha256(content)
          return yield* inLine(
            name,
            request,
            transaction.run(
              Effect.gen(function* (): Effect.fn.Return<Once<A>, E | Conflict, R> {
                const before = yield* answers.take(name)
                if (Option.isSome(before)) {
                  if (before.value.content === asked) return { _tag: "Again", answer: before.value.answer }
                  return yield* new Conflict({ reason: "This Idempotency-Key was used for another request" })
                }
                const { repeatable, result } = yield* work
                yield* repeatable === undefined
                  ? answers.release(name)
                  : answers.keep(name, { content: asked, answer: repeatable })
                return { _tag: "Done", result }
              })
            )
          )
        })
      })
    })
  )
}
