/**
 * Busy polling: for up to 0.3 ms, the event loop runs without sleeping while the server waits for the database or for the
 * client's next request. A process that sleeps needs 20 to 40 µs to wake up, and runs slower at first. That is as long as
 * the work of a short request.
 *
 * This is for a client that sends one request after the other. So the server polls only if a request follows the response
 * to the one before, on the same connection, and if that request and the pause before it were short. A server with few
 * requests, or with several clients at the same time, sleeps as usual. On a single processor it never polls, because the
 * client and the database need that processor. After a long request, such as one that waits for the disk, the database
 * often still works while the client reads the response, so that the two need all processors.
 */
import { availableParallelism } from "node:os"

/** The longest polling during a request, in milliseconds. The server polls only if the request before took less. */
export const requestPollMillis = 0.3

/**
 * The longest polling after a response, in milliseconds. The server polls only if the last request took less than
 * {@link requestPollMillis} and began sooner than this after its predecessor.
 */
export const pausePollMillis = 0.1

/** The time between two looks at the event loop, in milliseconds. Each look leaves 350 bytes for the garbage collection. */
export const lookPauseMillis = 0.003

/**
 * - `began`: a request began on a connection, and this response will answer it.
 * - `answered`: that response was written.
 */
export interface BusyPolling {
  readonly began: (response: object, connection: object) => void
  readonly answered: (response: object) => void
}

/** What busy polling needs from the process. */
export interface PollingProcess {
  readonly processors: number
  /** A clock, in milliseconds. */
  readonly now: () => number
  /** Runs a function in the next iteration of the event loop, before which it does not sleep. */
  readonly nextIteration: (run: () => void) => void
  /** Keeps the thread busy for that many milliseconds. */
  readonly spin: (millis: number) => void
}

const spin = (millis: number) => {
  const end = performance.now() + millis
  while (performance.now() < end);
}

const thisProcess: PollingProcess = {
  processors: availableParallelism(),
  now: () => performance.now(),
  nextIteration: setImmediate,
  spin
}

const disabled: BusyPolling = { began: () => {}, answered: () => {} }

/** Busy polling for the requests of one server. */
export const makeBusyPolling = ({
  nextIteration,
  now,
  processors,
  spin
}: PollingProcess = thisProcess): BusyPolling => {
  if (processors === 1) return disabled
  let lastConnection: object | undefined
  let pending: object | undefined
  let beganAt = 0
  let answeredAt = 0
  let isPauseShort = false
  let isRequestShort = false
  let pollsUntil = 0
  let isPolling = false

  const poll = () => {
    spin(lookPauseMillis)
    if (now() < pollsUntil) nextIteration(poll)
    else isPolling = false
  }

  const pollUntil = (time: number) => {
    pollsUntil = time
    if (isPolling) return
    isPolling = true
    nextIteration(poll)
  }

  return {
    began: (response, connection) => {
      const isNext = connection === lastConnection && pending === undefined
      lastConnection = connection
      pending = response
      pollsUntil = 0
      beganAt = now()
      isPauseShort = isNext && beganAt - answeredAt < pausePollMillis
      if (isNext && isRequestShort) pollUntil(beganAt + requestPollMillis)
    },
    answered: (response) => {
      // A newer request is under way.
      if (response !== pending) return
      pending = undefined
      pollsUntil = 0
      answeredAt = now()
      isRequestShort = answeredAt - beganAt < requestPollMillis
      if (isPauseShort && isRequestShort) pollUntil(answeredAt + pausePollMillis)
    }
  }
}
