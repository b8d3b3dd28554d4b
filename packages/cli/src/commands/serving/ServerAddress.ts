/** The address on which this process listens, and the error if it cannot listen. */
import { Effect, Schema } from "effect"
import { HttpServer } from "effect/http"
import { createServer } from "node:net"

/** The process cannot listen on the configured address: it is taken, or not permitted. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  setting: Schema.Literals(["PORT", "WORKERS_PORT"]),
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `${this.setting} ${this.port} on HOST ${this.host} cannot be listened on: ${this.reason}`
  }
}

/** Fails if the port is taken or not permitted. Another process may still take it before the server listens. */
export const requireFreePort = (place: {
  readonly setting: "PORT" | "WORKERS_PORT"
  readonly host: string
  readonly port: number
}) =>
  Effect.callback<void, CannotListen>((resume) => {
    const server = createServer()
    server
      .once("error", ({ message: reason }) => resume(Effect.fail(new CannotListen({ ...place, reason }))))
      .listen(place.port, place.host, () => server.close(() => resume(Effect.void)))
  })

/** A host that works in a browser: the wildcard address becomes `localhost`. */
const reachable = (host: string) => (host === "0.0.0.0" || host === "::" ? "localhost" : host)

/** The address at which a server on that host and port is reached from this machine. */
export const addressOf = (host: string, port: number) => {
  const name = reachable(host)
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** The address of the server of this scope, listening on `host`. */
export const addressOn = (host: string) =>
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    const port = "port" in address ? address.port : 0
    return addressOf(host, port)
  })
