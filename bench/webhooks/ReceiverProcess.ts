/**
 * A receiver in a process of its own. The message `{ warmUp, expect }` starts a new count: it sends `"warm"` once `warmUp`
 * POSTs have come, and `{ first, last, arrivals }` once `expect` have. Times are milliseconds since the epoch, arrivals
 * are by delivery header.
 */
import { createServer } from "node:http"

let warmUp = 0
let expected = Number.POSITIVE_INFINITY
let arrivals: Array<readonly [string, number]> = []

const now = () => performance.timeOrigin + performance.now()

const report = () => {
  if (arrivals.length === warmUp) process.send?.("warm")
  if (arrivals.length < expected) return
  process.send?.({ first: arrivals[0]?.[1], last: arrivals.at(-1)?.[1], arrivals })
  expected = Number.POSITIVE_INFINITY
}

const server = createServer((request, response) => {
  arrivals.push([String(request.headers["x-service-delivery"]), now()])
  request.resume().on("end", () => {
    response.writeHead(204).end()
    report()
  })
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" && address !== null ? address.port : 0 })
})
process.on("message", (message: { readonly warmUp: number; readonly expect: number }) => {
  warmUp = message.warmUp
  expected = message.expect
  arrivals = []
  process.send?.("listening")
})
process.on("disconnect", () => process.exit())
