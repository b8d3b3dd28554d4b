/**
 * Accepts all waiting connections before the server handles requests.
 *
 * Node accepts one connection in each iteration of its event loop, and handles what its other connections sent in the same
 * iteration. On a busy server an iteration takes several milliseconds. If many clients connect at once, as a proxy does
 * after a restart, the last of them would wait for all of these iterations. So requests are held back until an iteration
 * passes without a new connection; an iteration without requests takes some microseconds.
 */
import type { EventEmitter } from "node:events"

/** The longest hold in milliseconds, and the shortest time between two holds. */
export const maxHoldMillis = 5

/** What holding requests back needs from the process. */
export interface BurstProcess {
  /** A clock, in milliseconds. */
  readonly now: () => number
  /** Runs a function at the end of this iteration of the event loop, or of the next one if it is called at the end. */
  readonly atEndOfIteration: (run: () => void) => void
}

const thisProcess: BurstProcess = { now: () => performance.now(), atEndOfIteration: setImmediate }

type Emit = (event: string | symbol, ...args: ReadonlyArray<unknown>) => boolean

/** The arguments of the event of a request. A response is destroyed if its client has left. */
type RequestEvent = readonly [request: unknown, response: { readonly destroyed: boolean }]

/** Makes a server hold requests back while connections arrive, for at most {@link maxHoldMillis}. Gives the same server. */
export const acceptConnectionsFirst = <Server extends EventEmitter>(
  server: Server,
  { atEndOfIteration, now }: BurstProcess = thisProcess
): Server => {
  const emit: Emit = server.emit.bind(server)
  let held: Array<RequestEvent> = []
  let isHolding = false
  let hasNewConnection = false
  let holdsUntil = 0
  let restsUntil = 0

  const release = () => {
    isHolding = false
    const released = held
    held = []
    for (const event of released) if (!event[1].destroyed) emit("request", ...event)
  }

  const releaseOrContinue = () => {
    if (!hasNewConnection) return release()
    const time = now()
    if (time < holdsUntil) {
      hasNewConnection = false
      return atEndOfIteration(releaseOrContinue)
    }
    // So clients that connect without end delay the others for half of the time at most.
    restsUntil = time + maxHoldMillis
    release()
  }

  server.on("connection", () => {
    hasNewConnection = true
    const time = now()
    if (isHolding || time < restsUntil) return
    isHolding = true
    holdsUntil = time + maxHoldMillis
    atEndOfIteration(releaseOrContinue)
  })
  const hold: Emit = (event, ...args) => {
    if (!isHolding || event !== "request") return emit(event, ...args)
    held.push(args as RequestEvent)
    return true
  }
  server.emit = hold
  return server
}
