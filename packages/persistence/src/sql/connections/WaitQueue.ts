/**
 * A fair queue for a number of places, with a time limit for each wait.
 *
 * The pool of `@effect/sql-pg` is fair too, but has no time limit. The limit follows the machine's own clock, so that a
 * wait also ends under a clock that a test controls.
 */
import { Effect } from "effect"

/** Whether a place is held. It is made before the wait, so that a finalizer can check it however the wait ended. */
export interface Ticket {
  held: boolean
}

/**
 * A ticket that waits. Its function is removed when the wait ends, because V8 keeps a table of a Set, with the entries that
 * it had, until it collects old objects. The function refers to the request and its rows.
 */
interface Waiter {
  admit: (() => void) | undefined
}

/** A number of places, each held by one ticket at a time. */
export interface WaitQueue<E> {
  /** Takes a place for the ticket, in the order of the calls; fails after the limit. */
  readonly enter: (ticket: Ticket) => Effect.Effect<void, E>
  /** Gives up the ticket's place, if it holds one. The place goes to the ticket that has waited longest. */
  readonly leave: (ticket: Ticket) => void
}

/** Makes a queue for that many places. `limit` is in milliseconds, 0 for none. */
export const makeWaitQueue = <E>(places: number, limit: number, timedOut: () => E): WaitQueue<E> => {
  let free = places
  const waiting = new Set<Waiter>()
  const wait = (ticket: Ticket) =>
    Effect.callback<void, E>((resume) => {
      const end = (result: Effect.Effect<void, E>) => {
        stop()
        resume(result)
      }
      const admit = () => {
        ticket.held = true
        end(Effect.void)
      }
      const waiter: Waiter = { admit }
      const timer = limit === 0 ? undefined : setTimeout(() => end(Effect.fail(timedOut())), limit)
      const stop = () => {
        clearTimeout(timer)
        waiting.delete(waiter)
        waiter.admit = undefined
      }
      waiting.add(waiter)
      return Effect.sync(stop)
    })
  return {
    enter: (ticket) =>
      Effect.suspend(() => {
        if (free === 0) return wait(ticket)
        free -= 1
        ticket.held = true
        return Effect.void
      }),
    leave: (ticket) => {
      if (!ticket.held) return
      ticket.held = false
      const [next] = waiting
      if (next === undefined) free += 1
      else next.admit?.()
    }
  }
}
