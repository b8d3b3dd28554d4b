/**
 * Removes 1xx responses from the data of a connection, so that undici sees the final response only. undici fails a
 * request on an unrequested `100 Continue` or `101 Switching Protocols`, though HTTP lets a client ignore them (RFC
 * 9110, 15.2).
 */
import type { Socket } from "node:net"

// The length of `HTTP/1.1 1`, with which an interim response begins.
const prefixLength = 10

const isInterim = (start: string): boolean => {
  const interim = start.startsWith("HTTP/1.0") ? "HTTP/1.0 1" : "HTTP/1.1 1"
  return interim.startsWith(start.slice(0, prefixLength))
}

/**
 * The most bytes of interim responses before a final response. Beyond it they are passed to undici, which fails the
 * request.
 */
const maxInterimBytes = 16 * 1024

const noBytes = Buffer.alloc(0)

/** Makes a filter of the data of one connection. It looks only at the start of each response. */
export const makeInterimFilter = () => {
  let expectsResponse = true
  let incomplete: Buffer = noBytes
  let removed = 0
  const pass = (data: Buffer) => {
    expectsResponse = false
    incomplete = noBytes
    return data
  }
  return {
    /** Call it before each request: the next bytes begin a response. */
    expectResponse: (): void => {
      expectsResponse = true
      incomplete = noBytes
      removed = 0
    },
    /** The chunk without interim responses, or null if nothing of it remains yet. */
    filter: (chunk: Buffer): Buffer | null => {
      if (!expectsResponse) return chunk
      let data = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk])
      while (isInterim(data.toString("latin1", 0, prefixLength))) {
        const end = data.indexOf("\r\n\r\n")
        removed += end < 0 ? 0 : end + 4
        if (removed + (end < 0 ? data.length : 0) > maxInterimBytes) return pass(data)
        incomplete = end < 0 ? data : data.subarray(end + 4)
        if (end < 0 || incomplete.length === 0) return null
        data = incomplete
      }
      return pass(data)
    }
  }
}

/** Filters the data that is read from a socket. Returns the function to call before each request. */
export const ignoreInterimResponses = (socket: Socket): (() => void) => {
  const { expectResponse, filter } = makeInterimFilter()
  const read = socket.read.bind(socket)
  // undici reads its sockets by this method.
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      const filtered = chunk === null ? null : filter(chunk)
      if (chunk === null || filtered !== null) return filtered
    }
  }
  return expectResponse
}
