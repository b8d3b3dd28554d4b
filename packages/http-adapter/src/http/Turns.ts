/**
 * Keeps a burst of sign-ins from standing between everybody else and their answers. Requests that arrive together
 * are taken up one after the other, without a look at what has become ready in the meantime: two hundred sign-ins
 * hold every answer and every webhook for as long as all of them take. So each request to the public authentication
 * routes waits for its turn, and from one turn to the next everybody else has several rounds of the event loop.
 */
import { Effect, Semaphore } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { basePath } from "./Contract.ts"
import { pathOf } from "./Spelling.ts"

/**
 * How many rounds lie between two turns. A booking and its webhook need about as many between two of their questions
 * to the database, and a round in which nothing is ready takes some microseconds.
 */
const roundsBetween = 8

/** Comes back some rounds of the event loop later, each of which has let everything that was ready pass. */
const afterOthers = Effect.callback<void>((resume) => {
  let left = roundsBetween
  const round = () => {
    left -= 1
    if (left === 0) resume(Effect.void)
    else next = setImmediate(round)
  }
  let next = setImmediate(round)
  return Effect.sync(() => clearImmediate(next))
})

/** Makes callers wait for each other, first come, first served, and for everybody else between them. */
export const makeTurns = Effect.map(Semaphore.make(1), (turns) => turns.withPermit(afterOthers))

/** Gives the routes that anybody may ask to hash a password their turns. */
export const layer = HttpRouter.middleware(
  Effect.map(
    makeTurns,
    (turn) => (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        pathOf(url).startsWith(`${basePath}/auth/`) ? Effect.andThen(turn, app) : app
      )
  ),
  { global: true }
)
