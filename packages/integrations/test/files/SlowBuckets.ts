/** Buckets that do not do as a bucket should, on real sockets of the loopback: gone with the scope. */
import { Effect } from "effect"
import { createServer, type Socket } from "node:net"

/** What a bucket does with a connection, the first being number 1. */
export type Manner = (socket: Socket, number: number) => void

/** Takes what it is sent, and never says a word. */
export const silent: Manner = (socket) => void socket.resume()

/** Ends each connection without a goodbye. */
export const resetting: Manner = (socket) => void socket.resetAndDestroy()

/** Says what it has to say a letter at a time, so that the connection is never idle. */
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

/** Answers each request at once, and closes. */
export const answering =
  (answer: string): Manner =>
  (socket) => {
    socket.once("data", () => socket.end(answer))
  }

/** A bucket of that manner, and how many connections it has had and has still. */
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
