/**
 * A fair wait for one of a number of places, each for a limited time.
 *
 * The pool of `@effect/sql-pg` is as fair, but lets wait for ever. The time is the machine's own: under a clock that a
 * test sets, a wait must still end.
 */
import { Effect } from "effect"

/** Whether a place is held. Made before the wait, so that whatever ends the wait can tell. */
export interface Ticket {
  held: boolean
}

/** Places of which each belongs to one at a time. */
export interface WaitQueue<E> {
  /** Takes a place for the ticket, in the order of asking; fails after the limit. */
  readonly enter: (ticket: Ticket) => Effect.Effect<void, E>
  /** Gives the ticket's place, if it holds one, to whoever has waited longest. */
  readonly leave: (ticket: Ticket) => void
}

/** A queue for that many places. `limit` is in milliseconds, 0 for none. */
export const makeWaitQueue = <E>(places: number, limit: number, timedOut: () => E): WaitQueue<E> => {
  let free = places
  const waiting = new Set<() => void>()
  const wait = (ticket: Ticket) =>
    Effect.callback<void, E>((resume) => {
      const stop = () => {
        clearTimeout(timer)
        waiting.delete(admit)
      }
      const admit = () => {
        stop()
        ticket.held = true
        resume(Effect.void)
      }
      const giveUp = () => {
        stop()
        resume(Effect.fail(timedOut()))
      }
      const timer = limit === 0 ? undefined : setTimeout(giveUp, limit)
      waiting.add(admit)
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
      else next()
    }
  }
}
