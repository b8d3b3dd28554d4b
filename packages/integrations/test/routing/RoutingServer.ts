/** A routing server on the loopback that responds as OSRM does, or as a server that is out of order. */
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How the server responds to the request of that number, the first being 1. */
export type Manner = (response: ServerResponse, number: number) => void

const json = (status: number, body: unknown): Manner => {
  const text = JSON.stringify(body)
  return (response) => void response.writeHead(status, { "content-type": "application/json" }).end(text)
}

/** Finds a way of that length and duration. */
export const finding = (distance: number, duration: number): Manner =>
  json(200, {
    code: "Ok",
    routes: [{ distance, duration, weight: duration, weight_name: "routability", legs: [] }],
    waypoints: []
  })

/** Has no way for the points. */
export const refusing = (code: string): Manner => json(400, { code, message: "Impossible route" })

/** Responds with anything. */
export const saying =
  (status: number, text: string): Manner =>
  (response) =>
    void response.writeHead(status).end(text)

/** Closes the connection without a response. */
export const hangingUp: Manner = (response) => void response.socket?.destroy()

/** Never responds. */
export const silent: Manner = () => undefined

/** A server of that manner, gone with the scope: its address, what was asked of it, and the next request's arrival. */
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
