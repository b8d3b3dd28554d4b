/** Where this process listens, and what is said when it cannot. */
import { Effect, Schema } from "effect"
import { HttpServer } from "effect/http"

/** Nothing listens where the settings say: it is taken, or not ours. */
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

/** A name that can be typed into a browser: not the one that means "every address". */
const reachable = (host: string) => (host === "0.0.0.0" || host === "::" ? "localhost" : host)

/** The address of the server of this scope, listening on `host`. */
export const addressOn = (host: string) =>
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    const port = "port" in address ? address.port : 0
    const name = reachable(host)
    return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
  })
