/** `livery serve`: runs the API and the workers until a signal stops it. */
import { Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import {
  BoardWatch,
  Demonstration,
  ErasureSweep,
  FlightSweep,
  EventSequencer,
  MailSender,
  ImportSweep,
  MonthlyRunSweep,
  NoticeChannels,
  NoticeSweep,
  Reconciliation,
  ReminderSweep,
  SalesExpiry,
  SeatReconciliation,
  TripWatch,
  whileNotPaused
} from "@livery/domain"
import { Application, connectionLimits, HttpApp, NodeServer, MonitoringApp } from "@livery/http-adapter"
import { DueInPlace, NodeBacklogs, Ports, Retention, WorkPlaces } from "@livery/persistence"
import { WebhookDispatcher, WebhookSender } from "@livery/webhooks"
import { descriptions } from "../../usage/Descriptions.ts"
import { Livery, MailerLive } from "../../composition/Composition.ts"
import { connectionOf, Database } from "../../composition/Database.ts"
import { pagesFolder, paymentOrigins } from "../../composition/ServedPages.ts"
import { Settings } from "../../settings/Settings.ts"
import { demonstrationLink } from "./DemonstrationLink.ts"
import { firstStart, laterStart, workersReady } from "./Greeting.ts"
import {
  requireNoSandboxData,
  requireSandboxPermitted,
  Sandbox,
  SandboxRefused,
  startSandbox
} from "./Sandbox.ts"
import { reportPooler, StartupOptions } from "../../composition/Startup.ts"
import { Telemetry } from "../../observation/Telemetry.ts"
import { addressOn, CannotListen, requireFreePort } from "./ServerAddress.ts"
import {
  boundStop,
  endUnfinished,
  reportLongStop,
  stopLimit,
  stoppingLayer,
  waitOnStop,
  workersGrace
} from "./ShutdownGrace.ts"

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const only = Flag.Literals("only", ["api", "webhooks"]).pipe(
  Flag.optional,
  Flag.withDescription(
    "Run one part only: the API on PORT, or the workers that send webhooks and mail, which serve only " +
      "/metrics and /health on WORKERS_PORT"
  )
)

/** Where the payment provider's notices arrive. */
const noticesPath = "/api/v1/public/payments/stripe"

const greet = Effect.gen(function* () {
  const { baseUrl, host } = yield* Settings
  const database = yield* Database
  const listening = yield* addressOn(host)
  const address = baseUrl ?? listening
  const sandbox = yield* Sandbox
  if (sandbox !== undefined) sandbox.receiver = `${listening}${noticesPath}`
  if (database._tag === "External") return yield* laterStart(address, "the database that DATABASE_URL names")
  const demonstration = yield* Demonstration
  const prepared = yield* demonstration.prepare
  if (Option.isSome(prepared)) {
    const link = yield* demonstrationLink(listening, host)
    return yield* firstStart(address, database.directory, prepared.value.apiKey, sandbox, link)
  }
  return yield* laterStart(address, database.directory, sandbox)
})

/**
 * Ends the streams of trips and of the board when the server stops, because it waits for open responses and a stream can last
 * for hours.
 */
const closeStreams = Effect.gen(function* () {
  const trips = yield* TripWatch
  const board = yield* BoardWatch
  yield* Effect.addFinalizer(() => Effect.andThen(trips.close, board.close))
})

const Sender = Layer.unwrap(
  Effect.map(Settings, ({ webhooksAllowInsecure }) =>
    WebhookSender.layer({ allowInsecure: webhooksAllowInsecure })
  )
)

const { inEachPlace } = WorkPlaces

const Dispatcher = inEachPlace((places) =>
  Layer.unwrap(
    Effect.map(Settings, ({ shutdownGrace }) =>
      WebhookDispatcher.layer({ grace: workersGrace(shutdownGrace), places })
    )
  ).pipe(Layer.provide(Ports.DeliveryQueue))
)

const Sequencer = WorkPlaces.inEachPlace(() => EventSequencer.layer.pipe(Layer.provide(Ports.EventPositions)))

/** The workers that reach receivers, mail servers and the payment provider. */
const OutgoingWorkers = whileNotPaused(
  Layer.mergeAll(
    Dispatcher,
    Reconciliation.layer,
    inEachPlace(() => SeatReconciliation.layer.pipe(Layer.provide(DueInPlace.seats))),
    inEachPlace(() => ReminderSweep.layer.pipe(Layer.provide(DueInPlace.reminders))),
    inEachPlace(() => ImportSweep.layer.pipe(Layer.provide(DueInPlace.imports))),
    inEachPlace(() => FlightSweep.layer.pipe(Layer.provide(DueInPlace.flights))),
    inEachPlace(() => MonthlyRunSweep.layer.pipe(Layer.provide(DueInPlace.monthlyRuns))),
    inEachPlace(() => NoticeSweep.layer.pipe(Layer.provide(DueInPlace.notices))),
    MailSender.layer
  )
).pipe(Layer.provide(Layer.mergeAll(MailerLive, NoticeChannels.layer, Sender)))

/** Where workers work and backlogs are counted. */
const Places = Layer.unwrap(Effect.map(Settings, (settings) => WorkPlaces.layer(connectionOf(settings))))

/** What waits on each node, for `/metrics`. */
const Backlogs = NodeBacklogs.layer.pipe(Layer.provide(Places))

const Workers = Layer.mergeAll(
  OutgoingWorkers,
  Sequencer,
  inEachPlace(() =>
    SalesExpiry.layer.pipe(Layer.provide(Layer.merge(DueInPlace.quotes, DueInPlace.bookings)))
  ),
  Retention.layer,
  ErasureSweep.layer
).pipe(Layer.provide(Places))

/** Serves the application. */
const served = Layer.unwrap(Effect.map(Application, ({ respond }) => HttpServer.serve(respond)))

const Api = Layer.unwrap(
  Effect.map(Settings, (settings) => {
    const { baseUrl, databasePool, host, port, shutdownGrace, trustedProxies } = settings
    const connections = connectionLimits({ databasePool, trustedProxies })
    const directory = settings.pages ? pagesFolder() : undefined
    const pages =
      directory === undefined
        ? undefined
        : {
            directory,
            paymentOrigins: paymentOrigins(settings),
            mapOrigin: settings.mapStyleUrl?.origin
          }
    const api = Layer.unwrap(
      Effect.map(addressOn(host), (address) =>
        HttpApp.layer({ trustedProxies, publicUrl: baseUrl, address, pages })
      )
    ).pipe(Layer.provide(Backlogs))
    const stop = Effect.andThen(waitOnStop(shutdownGrace), closeStreams)
    return Layer.effectDiscard(Effect.andThen(stop, greet)).pipe(
      Layer.provideMerge(served.pipe(Layer.provide(api))),
      Layer.provide(NodeServer.layer({ host, port, connections })),
      Layer.provide(stoppingLayer)
    )
  })
)

/** The default port of `/metrics` and `/health` of workers that run without the API. */
const defaultWorkersPort = 3001

/**
 * Serves `/metrics` and `/health` of the workers. If no port is set and the default one is taken, the workers run without
 * them.
 */
const Monitoring = Layer.unwrap(
  Effect.map(Settings, ({ host, trustedProxies, workersPort }) => {
    const port = workersPort ?? defaultWorkersPort
    const Listener = Layer.effectDiscard(Effect.flatMap(addressOn(host), workersReady)).pipe(
      Layer.provideMerge(
        served.pipe(Layer.provide(MonitoringApp.layer({ trustedProxies }).pipe(Layer.provide(Backlogs))))
      ),
      Layer.provide(NodeServer.layer({ host, port }))
    )
    return Listener.pipe(
      Layer.catchTag("ServeError", ({ cause }) => {
        const refusal = new CannotListen({ setting: "WORKERS_PORT", host, port, reason: reasonOf(cause) })
        return Layer.effectDiscard(
          workersPort === undefined
            ? Effect.andThen(
                Effect.logWarning(`These workers serve no /metrics and no /health: ${refusal.message}`),
                workersReady(undefined)
              )
            : Effect.fail(refusal)
        )
      })
    )
  })
)

/**
 * Bounds the time that the process takes to stop. The process always waits for the embedded database, because no other
 * process may be left to stop it. A stop that takes longer is logged.
 */
const stopInTime = Effect.gen(function* () {
  const { shutdownGrace } = yield* Settings
  const { _tag } = yield* Database
  yield* boundStop(stopLimit(shutdownGrace), _tag === "External" ? endUnfinished : reportLongStop)
})

/** Runs a part of the server until it is interrupted. The telemetry ends last, with the spans of the last requests. */
const launch = <A, E, R>(part: Layer.Layer<A, E, R>) =>
  Layer.launch(
    Layer.effectDiscard(Effect.andThen(stopInTime, reportPooler)).pipe(
      Layer.provideMerge(part),
      Layer.provide(Livery),
      Layer.provide(Telemetry)
    )
  )

/** Runs one part, or all. `launch` provides `Livery` once, so that the API and the workers share one instance of each service. */
const run = Effect.fnUntraced(function* (part: "api" | "webhooks" | "all") {
  if (part === "api") return yield* launch(Api)
  if (part === "webhooks")
    // `Monitoring` starts before the workers, and stops after their last attempt has ended.
    return yield* launch(Workers.pipe(Layer.provide(Monitoring)))
  return yield* launch(Layer.merge(Workers, Api))
})

const migrate = Flag.Boolean("migrate").pipe(
  Flag.withDefault(false),
  Flag.withDescription("Apply missing migrations to the database before starting")
)

const wait = Flag.Boolean("wait").pipe(
  Flag.withDefault(false),
  Flag.withDescription(
    "Wait for the database instead of exiting if it does not answer, is not migrated or is read-only"
  )
)

const sandbox = Flag.Boolean("sandbox").pipe(
  Flag.withDefault(false),
  Flag.withDescription(
    "Also start an emulated Stripe account, to try card payments without an account (docs/getting-started.md). " +
      "Only on this machine, with the embedded database and without Stripe settings"
  )
)

/** Runs the server on an emulated Stripe account. */
const runInSandbox = Effect.scoped(
  Effect.gen(function* () {
    const { account, settings } = yield* startSandbox(yield* Settings)
    return yield* run("all").pipe(
      Effect.provideService(Sandbox, account),
      Effect.provideService(Settings, settings)
    )
  })
)

export const serve = Command.make(
  "serve",
  { only, migrate, wait, sandbox },
  Effect.fn(function* ({ only, sandbox, ...startup }) {
    const settings = yield* Settings
    const { host, port, workersPort } = settings
    if (sandbox && Option.isSome(only))
      return yield* new SandboxRefused({ reason: "--sandbox cannot be used with --only" })
    if (sandbox) yield* requireSandboxPermitted(settings)
    yield* requireNoSandboxData(settings)
    const part = Option.getOrElse(only, () => "all" as const)
    // A taken port stops the start before any file is made in the data directory.
    if (part !== "webhooks") yield* requireFreePort({ setting: "PORT", host, port })
    else if (workersPort !== undefined)
      yield* requireFreePort({ setting: "WORKERS_PORT", host, port: workersPort })
    return yield* (sandbox ? runInSandbox : run(part)).pipe(
      Effect.provideService(StartupOptions, startup),
      Effect.catchTag("ServeError", ({ cause }) =>
        Effect.fail(new CannotListen({ setting: "PORT", host, port, reason: reasonOf(cause) }))
      )
    )
  })
).pipe(
  Command.withDescription(descriptions.serve),
  Command.withExamples([
    { command: "livery serve", description: "API and workers in one process" },
    {
      command: "livery serve --only webhooks",
      description: "The workers alone, beside processes with --only api"
    }
  ])
)
