/**
 * The parts of an idempotent request that calls an outside server. Such a request runs without a transaction around it, so
 * a process that ends in the middle leaves the changes that were committed before. A part that must not be repeated is
 * committed together with its result: the repeated request takes the result and goes on from there.
 */
import { Context, Effect, Option } from "effect"

/**
 * - `id`: the same for every repetition of the request, and for no other request.
 * - `done`: the result of a part that was committed before.
 * - `once`: see {@link oncePerRequest}.
 */
export interface RequestParts {
  readonly id: string
  readonly done: (name: string) => string | undefined
  readonly once: <A, E, R>(name: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The parts of the current request; undefined if it has no idempotency key, or runs in one transaction. */
export const CurrentRequestParts = Context.Reference<RequestParts | undefined>(
  "@livery/domain/CurrentRequestParts",
  { defaultValue: () => undefined }
)

/**
 * Runs `work` and stores its result in one transaction, unless the request was carried out to this point before: then it
 * returns the stored result. The result must be plain JSON. Without an idempotency key, it runs `work` as it is.
 */
export const oncePerRequest = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentRequestParts, (parts) => (parts === undefined ? work : parts.once(name, work)))

/** The result of a part of the current request that was committed before; `A` is the type that the part returned. */
export const earlierResult = <A>(name: string): Effect.Effect<Option.Option<A>> =>
  Effect.map(CurrentRequestParts, (parts) =>
    Option.map(Option.fromUndefinedOr(parts?.done(name)), (text): A => JSON.parse(text))
  )

/** Runs one of several like pieces of a request, so that each has its own parts and its own id. */
export const withinPart = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentRequestParts, (parts) =>
    parts === undefined
      ? work
      : Effect.provideService(work, CurrentRequestParts, {
          id: `${parts.id}.${name}`,
          done: (part) => parts.done(`${name}.${part}`),
          once: (part, effect) => parts.once(`${name}.${part}`, effect)
        })
  )
