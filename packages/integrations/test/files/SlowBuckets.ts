/** Faulty buckets on loopback, which are closed with the scope. */
import { Effect } from "effect"
import { createServer, type Socket } from "node:net"

/** Handles a connection of a bucket. The first one has number 1. */
export type Manner = (socket: Socket, number: number) => void

/** Reads requests, and never responds. */
export const silent: Manner = (socket) => void socket.resume()

/** Resets each connection. */
export const resetting: Manner = (socket) => void socket.resetAndDestroy()

/** Responds a byte at a time, so that the connection is never idle. */
export const dripping =
  (answer: string): Manner =>
  (socket) => {
    socket.resume()
    const letters = answer[Symbol.iterator]()
    const timer = setInterval(() => {
      const { done, value } = letters.next()
      if (done === true) return clearInterval(timer)
      socket.write(value)
    }, 20)
    socket.on("close", () => clearInterval(timer))
  }

/** Responds to each request at once, and closes the connection. */
export const answering =
  (answer: string): Manner =>
  (socket) => {
    socket.once("data", () => socket.end(answer))
  }

/** A bucket with that behaviour, with the numbers of all and of open connections. */
export const bucketOf = Effect.fnUntraced(function* (manner: Manner) {
  process.env["AWS_ACCESS_KEY_ID"] ??= "test"
  process.env["AWS_SECRET_ACCESS_KEY"] ??= "test"
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    open.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => open.delete(socket))
    manner(socket, connections)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(() => {
        for (const socket of open) socket.destroy()
        return new Promise<void>((resolve) => server.close(() => resolve()))
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    options: {
      bucket: "pictures",
      prefix: "livery",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`
    },
    connections: () => connections,
    open: () => open.size
  }
})
