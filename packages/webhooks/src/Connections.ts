/**
 * Connections to receivers. They are kept for a while after an exchange, and the one that was used last is used next, so
 * that few are in use. undici's own pool keeps one more in reserve, and looks through all of them twice for each
 * request.
 *
 * After its first answer a connection rests for a moment: some receivers close it then, always, and do not say so. What
 * is sent to them just then would be lost, and sent again only a minute later. One that has outlasted this is kept by
 * its receiver, and used again at once.
 */
import { Client } from "undici"
import type { Dispatcher } from "undici"

/** A connection for one exchange at a time. */
export interface Line {
  /** Whether there was a connection when it was taken. */
  readonly wasOpen: boolean
  readonly dispatch: (
    request: Omit<Dispatcher.DispatchOptions, "origin" | "reset">,
    handler: Dispatcher.DispatchHandler
  ) => void
  /** Gives it back once undici has done with the exchange: `intact` if the receiver has answered and keeps it. */
  readonly free: (intact: boolean) => void
}

interface KeptLine extends Line {
  readonly client: Client
  wasOpen: boolean
  /** Whether there is a connection now; a client makes a new one when it is asked to send without. */
  isOpen: boolean
  /** Whether its connection has outlasted an answer. */
  isProven: boolean
  isIdle: boolean
}

/** Milliseconds after the first answer over a connection, or after a failure, until it is used again. */
const rest = 10

/**
 * Connections, by origin. `options` are those of each client; with `kept` connections open, those that are used are
 * not kept.
 */
export const makeConnections = (kept: number, options: Client.Options) => {
  const lines = new Set<KeptLine>()
  // Those that wait for work, the one that was used last at the end.
  const idle = new Map<string, Array<KeptLine>>()
  let open = 0
  let closed = false

  const retire = (origin: string, line: KeptLine) => {
    lines.delete(line)
    const left = (idle.get(origin) ?? []).filter((other) => other !== line)
    if (left.length > 0) idle.set(origin, left)
    else idle.delete(origin)
    // Not from within undici's handling of what ended the connection.
    setImmediate(() => void line.client.destroy())
  }

  const offer = (origin: string, line: KeptLine) => {
    if (line.isIdle) return
    if (!line.isOpen || closed) {
      retire(origin, line)
      return
    }
    line.isIdle = true
    const others = idle.get(origin)
    if (others === undefined) idle.set(origin, [line])
    else others.push(line)
  }

  const makeLine = (origin: string): KeptLine => {
    const client = new Client(origin, options)
    const line: KeptLine = {
      client,
      wasOpen: false,
      isOpen: false,
      isProven: false,
      isIdle: false,
      dispatch: (request, handler) => void client.dispatch({ ...request, reset: open >= kept }, handler),
      free: (intact) => {
        if (intact && line.isProven) {
          offer(origin, line)
          return
        }
        line.isProven = intact
        // Never at once after a failure: undici may be about to end the connection, and takes no request meanwhile.
        setTimeout(() => offer(origin, line), rest)
      }
    }
    client
      .on("connect", () => {
        line.isOpen = true
        open += 1
      })
      .on("disconnect", () => {
        line.isOpen = false
        line.isProven = false
        open -= 1
        if (line.isIdle) retire(origin, line)
      })
    lines.add(line)
    return line
  }

  return {
    /** A connection for one exchange: one that is there already, or else one that is yet to be made. */
    take: (origin: string): Line => {
      const line = idle.get(origin)?.pop() ?? makeLine(origin)
      line.isIdle = false
      line.wasOpen = line.isOpen
      return line
    },
    /** Ends all of them at once, and lets none be kept any more. */
    destroy: () => {
      closed = true
      return Promise.all([...lines].map(({ client }) => client.destroy()))
    }
  }
}
