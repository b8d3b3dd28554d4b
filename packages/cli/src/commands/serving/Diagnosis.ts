/** The checks of `livery doctor`: each checks one part of the installation, and tells how to repair it if it fails. */
import {
  Cause,
  Clock,
  Duration,
  Effect,
  Layer,
  Fiber,
  Option,
  Predicate,
  Redacted,
  References,
  Schedule
} from "effect"
import { SqlClient } from "effect/sql"
import { FileStore, outgoingPaused, PaymentProvider, PlatformSettings, RateStore } from "@livery/domain"
import { RedisRateCounters } from "@livery/integrations"
import {
  Distribution,
  migrations,
  pending,
  ReadinessPg,
  requireWrites,
  unfinishedArrivals,
  unfinishedMoves,
  unusable,
  Ports
} from "@livery/persistence"
import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { join } from "node:path"
import { cardsOf, Livery, MailerLive } from "../../composition/Composition.ts"
import * as Database from "../../composition/Database.ts"
import { lacksPoolerSetting, preparedBehindPooler } from "../../composition/Startup.ts"
import { Settings } from "../../settings/Settings.ts"

/** The result of a check. `warning`: the installation works, but not all of its features do. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "failed"
  readonly detail: string
}

const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })
const warning = (check: string, detail: string): Finding => ({ check, status: "warning", detail })
const failed = (check: string, detail: string): Finding => ({ check, status: "failed", detail })

const messageOf = (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrElse(Cause.findErrorOption(cause), () => Cause.squash(cause))
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error)
}

/** The time limit of a check: longer than the timeouts of the payment provider and of the database's connections. */
const timeLimit = Duration.seconds(15)

/** The time limit of opening the embedded database, which may have to be created, or to replay its log. */
const embeddedTimeLimit = Duration.minutes(2)

const databaseTimeLimit = Effect.map(Settings, ({ databaseUrl }) =>
  databaseUrl === undefined ? embeddedTimeLimit : timeLimit
)

/**
 * The result of a check, or that of `onTimeout` if there is none within the limit. A check that does not even end when
 * it is interrupted, for example because the file system does not respond, is left behind.
 */
const within = Effect.fnUntraced(function* <A, E, R>(
  limit: Duration.Duration,
  work: Effect.Effect<A, E, R>,
  onTimeout: (reason: string) => A
) {
  const fiber = yield* Effect.forkDetach(work)
  const abandon = Effect.sync(() => fiber.interruptUnsafe())
  return yield* Fiber.join(fiber).pipe(
    Effect.onInterrupt(() => abandon),
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.succeed(onTimeout(`It did not respond within ${Duration.toSeconds(limit)} s`))
    })
  )
})

/** The finding of a check. An unexpected failure and a check that does not end in time are findings too. */
const finding = <E, R>(check: string, work: Effect.Effect<Finding, E, R>, advice = "") =>
  within(timeLimit, work, (reason) => failed(check, `${reason}${advice}`)).pipe(
    Effect.catchCause((cause) => Effect.succeed(failed(check, `${messageOf(cause)}${advice}`)))
  )

/** The oldest PostgreSQL that Livery supports, as `server_version_num`. */
const oldestVersion = 150_000

interface ServerRow {
  readonly version: string
  readonly number: number
  readonly may_create: boolean
  readonly millis: number
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** The nodes of a distributed database, with their shards. A plain PostgreSQL has no finding. */
const distributed = Effect.gen(function* () {
  const { isDistributed, misplaced } = yield* Distribution.distribution()
  if (!isDistributed) return []
  const nodes = yield* Distribution.distributedNodes
  const down = nodes.filter(({ isActive }) => !isActive)
  const mean = nodes.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, nodes.length)
  const largest = Math.max(0, ...nodes.map(({ bytes }) => bytes))
  const each = nodes.map(({ bytes, node, shards }) => `${node} has ${shards} shards of ${megabytes(bytes)}`)
  const skew = mean === 0 ? "1.0" : (largest / mean).toFixed(1)
  return [
    down.length === 0
      ? ok("nodes", `${each.join(", ")}; the largest has ${skew} times the mean`)
      : failed("nodes", `${down.map(({ node }) => node).join(", ")} is not active: check the server`),
    misplaced.length === 0
      ? ok("distribution", "Every table is in its place")
      : failed(
          "distribution",
          `${misplaced.map(({ name }) => name).join(", ")} is on one node only: run livery migrate --distribute`
        )
  ]
})

/** The moves of businesses that were interrupted, with what to do. */
const moves = Effect.map(unfinishedMoves, (found) =>
  found.map(({ business_id, is_paused, state, target_url }) => {
    const move = `livery move --business ${business_id}`
    const again = `Run ${move} --to ${target_url} again`
    if (state === "moved" || state === "finished")
      return warning(
        "moves",
        `The move of business ${business_id} to ${target_url} was interrupted: ${again}`
      )
    if (state === "aborting")
      return (is_paused ? failed : warning)(
        "moves",
        `The copy of business ${business_id} at ${target_url} is not discarded: run ${move} --abort again. If that installation is lost, add --without-target`
      )
    const abort = `${again}, or give it up with ${move} --abort`
    return is_paused
      ? failed("moves", `Business ${business_id} takes no changes: its move was interrupted. ${abort}`)
      : warning("moves", `The move of business ${business_id} was interrupted; it is used here. ${abort}`)
  })
)

/** The moves of businesses from other installations that have not ended, with what to do if the other one is lost. */
const arrivals = Effect.map(unfinishedArrivals, (found) =>
  found.map(({ business_id, state }) => {
    const move = `livery move --business ${business_id}`
    return state === "complete"
      ? warning(
          "moves",
          `Business ${business_id} has arrived completely, and is not open: repeat livery move at its source. If the source is lost, run ${move} --open`
        )
      : warning(
          "moves",
          `Business ${business_id} has not arrived completely: repeat livery move at its source, or give the move up there with --abort. If the source is lost, run ${move} --discard`
        )
  })
)

/** Whether webhooks, mail and reminders are held. */
const isPaused = Effect.map(PlatformSettings.make, (settings) => settings.current().outgoing_paused).pipe(
  Effect.provide(Ports.PlatformSettingRepository)
)

const database = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = yield* Clock.currentTimeMillis
  const [row] = yield* sql<ServerRow>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
      has_schema_privilege(current_schema(), 'CREATE') AS may_create,
      (date_part('epoch', clock_timestamp()) * 1000)::bigint AS millis`
  if (row === undefined) return [failed("database", "It returned no row")]
  const after = yield* Clock.currentTimeMillis
  const { may_create, millis, number, version } = row
  // The database read its clock between the two readings of this machine's.
  const offset = millis > after ? millis - after : Math.min(millis - before, 0)
  const largestOffset = Math.max(after - millis, millis - before)
  const missing = yield* pending(migrations)
  const writes = yield* finding(
    "writes",
    Effect.as(Effect.mapError(requireWrites, unusable), ok("writes", "The database accepts writes"))
  )
  const pooler = yield* Effect.orElseSucceed(lacksPoolerSetting, () => false)
  return [
    number >= oldestVersion
      ? ok("database", `PostgreSQL ${version}`)
      : failed("database", `PostgreSQL ${version} is too old: use 15 or later`),
    missing.length === 0
      ? ok("migrations", "All are applied")
      : failed("migrations", `${missing.join(", ")} are missing: run livery migrate`),
    ...(missing.length === 0 ? [writes] : []),
    ...(missing.length === 0 ? yield* distributed : []),
    ...(missing.length === 0 ? [...(yield* moves), ...(yield* arrivals)] : []),
    ...(missing.length === 0 && (yield* isPaused) ? [warning("outgoing", outgoingPaused)] : []),
    ...(pooler ? [warning("pooler", preparedBehindPooler)] : []),
    may_create
      ? ok("privileges", "The role may apply migrations")
      : warning("privileges", "The role may not create tables: run livery migrate as another role"),
    Math.abs(offset) <= ReadinessPg.clockTolerance
      ? ok("clocks", `${largestOffset} ms apart at most`)
      : failed(
          "clocks",
          `This machine's clock and the database's differ by ${Math.round(Math.abs(offset) / 1000)} s`
        )
  ]
})

const acceptsConnection = (host: string, port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect({ host, port, timeout: 5000 })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resume(Effect.succeed(isOpen))
    }
    socket.once("connect", end(true)).once("timeout", end(false)).once("error", end(false))
    return Effect.sync(() => socket.destroy())
  })

const mail = Effect.gen(function* () {
  const { dataDirectory, smtpUrl } = yield* Settings
  // A server builds it at its start, and does not start if the sender or the mail server's address is wrong.
  yield* Effect.scoped(Layer.build(MailerLive))
  if (smtpUrl === undefined)
    return warning("mail", `SMTP_URL is not set: mail is written to ${join(dataDirectory, "mail")}`)
  const url = new URL(Redacted.value(smtpUrl))
  const port = url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port)
  // A URL has an IPv6 address in brackets.
  return (yield* acceptsConnection(url.hostname.replaceAll(/[[\]]/gu, ""), port))
    ? ok("mail", `${url.hostname}:${port} accepts connections`)
    : failed("mail", `${url.hostname}:${port} accepts no connection: check SMTP_URL and the mail server`)
})

/** The identifier of no payment. A request for it shows whether the provider accepts the key. */
const noPayment = "pi_livery_doctor"

const payments = Effect.gen(function* () {
  const { stripe } = yield* Settings
  if (stripe.secretKey === undefined)
    return warning("payments", "STRIPE_SECRET_KEY is not set: card payments are refused")
  yield* PaymentProvider.use(({ intent }) => intent(noPayment)).pipe(
    Effect.provide(cardsOf("doctor")),
    // The refusal is expected, and the finding tells any other failure.
    Effect.provideService(References.MinimumLogLevel, "Error")
  )
  return stripe.webhookSecret === undefined
    ? warning("payments", "STRIPE_WEBHOOK_SECRET is not set: notices of payments are refused")
    : ok("payments", "The provider accepts the key")
})

/** The rate counters that nodes share. Without them, logins are refused. */
const counters = Effect.gen(function* () {
  const { databaseUrl, redisUrl } = yield* Settings
  if (redisUrl === undefined)
    return ok("counters", databaseUrl === undefined ? "They are in this process" : "They are in the database")
  const { host } = new URL(Redacted.value(redisUrl))
  return yield* RateStore.use((store) => store.take([])).pipe(
    // The client connects in the background, and refuses until it is connected.
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 30 }),
    Effect.provide(RedisRateCounters.store({ url: redisUrl })),
    Effect.as(ok("counters", `Redis at ${host} counts`)),
    Effect.catchTag("CountersUnavailable", ({ reason }) =>
      Effect.succeed(
        failed("counters", `Redis at ${host} does not count (${reason}): check REDIS_URL and the server`)
      )
    )
  )
})

/** Stores a file and deletes it. */
const storage = Effect.gen(function* () {
  const files = yield* FileStore
  const name = randomBytes(16).toString("hex")
  yield* files.write(name, new Uint8Array([1]), "application/octet-stream")
  yield* files.remove(name)
  return ok("storage", "A file was stored and deleted")
})

/** The check that failed if the services of a command could not be built. */
const failedStart = (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const isOfSecret = ["SecretMismatch", "SecretTooShort", "SecretUnavailable"].some((tag) =>
    Predicate.isTagged(error, tag)
  )
  return failed(isOfSecret ? "secret" : "start", messageOf(cause))
}

/** Builds the services of a command, which checks the secret, and checks the storage with them. */
const start = Effect.gen(function* () {
  const { uploads } = yield* Settings
  const limit = Duration.sum(yield* databaseTimeLimit, timeLimit)
  const setting = uploads === undefined ? "LIVERY_DATA_DIR" : "UPLOADS_URL"
  const stored = Effect.provide(finding("storage", storage, `: check ${setting}`), Livery)
  return yield* within(
    limit,
    Effect.map(stored, (found) => [ok("secret", "It is the secret of the data"), found]),
    (reason) => [failed("start", reason)]
  ).pipe(Effect.catchCause((cause) => Effect.succeed([failedStart(cause)])))
})

/** All findings. The secret and the storage are checked only if the database can be used. */
export const diagnosis = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  const unusableDatabase = (reason: string): ReadonlyArray<Finding> => [
    failed("database", `${reason}${databaseUrl === undefined ? "" : ": check DATABASE_URL and the server"}`)
  ]
  const found = yield* within(
    yield* databaseTimeLimit,
    Effect.provide(database, Database.layer),
    unusableDatabase
  ).pipe(Effect.catchCause((cause) => Effect.succeed(unusableDatabase(messageOf(cause)))))
  const isUsable = found.every(({ check, status }) => status !== "failed" || check === "moves")
  return [
    ...found,
    ...(isUsable ? yield* start : []),
    yield* finding("counters", counters),
    yield* finding("mail", mail),
    yield* finding("payments", payments)
  ]
})
