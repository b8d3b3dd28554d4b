/** `livery serve`: the API and the workers behind it, until told to stop. */
import { Effect, identity, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpRouter, HttpServer } from "effect/http"
import { Demonstration, MailCourier, TripWatch } from "@livery/domain"
import { HttpApp, NodeServer } from "@livery/http-adapter"
import { WebhookDispatcher, WebhookSender } from "@livery/webhooks"
import { Livery, MailerLive } from "../Composition.ts"
import { Database } from "../Database.ts"
import * as IdleMemory from "../IdleMemory.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { firstStart, laterStart, workersReady } from "./Greeting.ts"

/** Nothing listens where `HOST` and `PORT` say: it is taken, or not ours. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `PORT ${this.port} on HOST ${this.host} cannot be listened on: ${this.reason}`
  }
}

const only = Flag.Literals("only", ["api", "webhooks"]).pipe(
  Flag.optional,
  Flag.withDescription("Run one part alone: the API, or the workers that send webhooks and mail")
)

/** A name that can be typed into a browser: not the one that means "every address". */
const reachable = (host: string) => (host === "0.0.0.0" || host === "::" ? "localhost" : host)

const addressOf = (server: HttpServer.HttpServer["Service"], { baseUrl, host }: SettingsShape) => {
  const port = "port" in server.address ? server.address.port : 0
  const name = reachable(host)
  return baseUrl ?? `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

const greet = Effect.gen(function* () {
  const settings = yield* Settings
  const database = yield* Database
  const address = addressOf(yield* HttpServer.HttpServer, settings)
  if (database._tag === "External") return yield* laterStart(address, "the database that DATABASE_URL names")
  const demonstration = yield* Demonstration
  const made = yield* demonstration.prepare
  if (Option.isSome(made)) return yield* firstStart(address, database.directory, made.value.apiKey)
  return yield* laterStart(address, database.directory)
})

/** Whoever follows a trip could do so for hours: a server that stops does not wait for them. */
const letFollowersGo = Effect.flatMap(TripWatch, ({ close }) => Effect.addFinalizer(() => close))

const Sender = Layer.unwrap(
  Effect.map(Settings, ({ webhooksAllowInsecure }) =>
    WebhookSender.layer({ allowInsecure: webhooksAllowInsecure })
  )
)

const Workers = Layer.merge(
  WebhookDispatcher.layer().pipe(Layer.provide(Sender)),
  MailCourier.layer.pipe(Layer.provide(MailerLive))
)

const Api = Layer.unwrap(
  Effect.map(Settings, ({ baseUrl, host, limits, port, trustedProxies }) =>
    Layer.effectDiscard(Effect.andThen(letFollowersGo, greet)).pipe(
      Layer.provideMerge(
        HttpRouter.serve(HttpApp.layer({ limits, trustedProxies, publicUrl: baseUrl }), {
          disableLogger: true,
          disableListenLog: true,
          // Named only so that its type is inferred: without one, the layer's requirements read as unknown.
          middleware: identity
        })
      ),
      Layer.provide(NodeServer.layer({ host, port }))
    )
  )
)

/** The shared ground is built once, outside of what the HTTP server builds for itself. */
const run = Effect.fnUntraced(function* (part: "api" | "webhooks" | "all") {
  if (part === "api")
    return yield* Layer.launch(IdleMemory.layer.pipe(Layer.provide(Api), Layer.provide(Livery)))
  if (part === "webhooks")
    return yield* Layer.launch(
      Layer.effectDiscard(workersReady).pipe(
        Layer.provide(IdleMemory.layer),
        Layer.provide(Workers),
        Layer.provide(Livery)
      )
    )
  return yield* Layer.launch(
    IdleMemory.layer.pipe(Layer.provide(Layer.merge(Workers, Api)), Layer.provide(Livery))
  )
})

export const serve = Command.make(
  "serve",
  { only },
  Effect.fn(function* ({ only: part }) {
    const { host, port } = yield* Settings
    return yield* run(Option.getOrElse(part, () => "all" as const)).pipe(
      Effect.catchTag("ServeError", ({ cause }) =>
        Effect.fail(
          new CannotListen({ host, port, reason: cause instanceof Error ? cause.message : String(cause) })
        )
      )
    )
  })
).pipe(Command.withDescription("Run the API and the workers that send webhooks and mail"))
