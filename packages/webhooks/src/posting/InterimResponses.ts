/**
 * Removes 1xx responses from what a connection reads, so that undici sees the final response only. undici fails a request
 * on an unrequested `100 Continue` or `101 Switching Protocols`, though HTTP lets a client ignore them (RFC 9110, 15.2).
 */
import type { Socket } from "node:net"

// Enough to tell "HTTP/1.1 1", the start of an interim response, from any other.
const recognizedAfter = 10

const isInterim = (start: string): boolean => {
  const interim = start.startsWith("HTTP/1.0") ? "HTTP/1.0 1" : "HTTP/1.1 1"
  return interim.startsWith(start.slice(0, recognizedAfter))
}

/** Bytes of interim responses before one final response, beyond which undici gets them and fails the request. */
const limit = 16 * 1024

const nothing = Buffer.alloc(0)

/** Filters the start of each response. */
export const makeInterimFilter = () => {
  let isExpecting = true
  let held: Buffer = nothing
  let removed = 0
  const pass = (data: Buffer) => {
    isExpecting = false
    held = nothing
    return data
  }
  return {
    /** A request is about to be sent: a response comes next. */
    expectResponse: (): void => {
      isExpecting = true
      held = nothing
      removed = 0
    },
    /** The chunk without interim responses, or null when nothing is left of it for now. */
    filter: (chunk: Buffer): Buffer | null => {
      if (!isExpecting) return chunk
      let data = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      while (isInterim(data.toString("latin1", 0, recognizedAfter))) {
        const end = data.indexOf("\r\n\r\n")
        removed += end < 0 ? 0 : end + 4
        if (removed + (end < 0 ? data.length : 0) > limit) return pass(data)
        held = end < 0 ? data : data.subarray(end + 4)
        if (end < 0 || held.length === 0) return null
        data = held
      }
      return pass(data)
    }
  }
}

/** Filters what is read from a socket. Returns the function to call before each request. */
export const ignoreInterimResponses = (socket: Socket): (() => void) => {
  const { expectResponse, filter } = makeInterimFilter()
  const read = socket.read.bind(socket)
  // undici reads its sockets by this method.
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      const left = chunk === null ? null : filter(chunk)
      if (chunk === null || left !== null) return left
    }
  }
  return expectResponse
}
