/** A routing server on loopback that responds like OSRM, or with faults. */
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Responds to a request. The first one has number 1. */
export type Manner = (response: ServerResponse, number: number) => void

const json = (status: number, body: unknown): Manner => {
  const text = JSON.stringify(body)
  return (response) => void response.writeHead(status, { "content-type": "application/json" }).end(text)
}

/** Responds with a route of that length and duration. */
export const finding = (distance: number, duration: number): Manner =>
  json(200, {
    code: "Ok",
    routes: [{ distance, duration, weight: duration, weight_name: "routability", legs: [] }],
    waypoints: []
  })

/** Responds that there is no route. */
export const refusing = (code: string): Manner => json(400, { code, message: "Impossible route" })

/** Responds with any status and body. */
export const saying =
  (status: number, text: string): Manner =>
  (response) =>
    void response.writeHead(status).end(text)

/** Closes the connection without a response. */
export const hangingUp: Manner = (response) => void response.socket?.destroy()

/** Never responds. */
export const silent: Manner = () => undefined

/**
 * A server with that behaviour, which is closed with the scope: its address, its requests, and the arrival of the
 * next request.
 */
export const routingServer = Effect.fnUntraced(function* (manner: Manner) {
  const asked: Array<string> = []
  const waiting: Array<() => void> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    for (const arrived of waiting.splice(0)) arrived()
    manner(response, asked.length)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(() => {
        server.closeAllConnections()
        return new Promise<unknown>((resolve) => server.close(resolve))
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    asked,
    /** Resolves when the next request arrives. */
    arrival: Effect.promise(() => new Promise<void>((resolve) => waiting.push(resolve)))
  }
})
