/** The checks of `livery doctor`: each checks one part of the installation, and tells how to repair it if it fails. */
import { Cause, Clock, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { FileStore, PaymentProvider } from "@livery/domain"
import { migrations, pending, requireWrites, unusable } from "@livery/persistence"
import { randomBytes } from "node:crypto"
import { connect } from "node:net"
import { join } from "node:path"
import { cardsOf, Livery } from "./Composition.ts"
import * as Database from "./Database.ts"
import { Settings } from "./Settings.ts"

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

/** The finding of a check. An unexpected failure is a finding too. */
const finding = <E, R>(check: string, work: Effect.Effect<Finding, E, R>) =>
  Effect.catchCause(work, (cause) => Effect.succeed(failed(check, messageOf(cause))))

/** The oldest PostgreSQL that Livery supports, as `server_version_num`. */
const oldestVersion = 150_000

/** The largest difference between this machine's clock and the database's at which a node is ready, in milliseconds. */
const clockTolerance = 60_000

interface ServerRow {
  readonly version: string
  readonly number: number
  readonly may_create: boolean
  readonly millis: number
}

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
  const offset = millis > after ? millis - after : Math.min(millis - before, 0)
  const missing = yield* pending(migrations)
  const writes = yield* finding(
    "writes",
    Effect.as(Effect.mapError(requireWrites, unusable), ok("writes", "The database accepts writes"))
  )
  return [
    number >= oldestVersion
      ? ok("database", `PostgreSQL ${version}`)
      : failed("database", `PostgreSQL ${version} is too old: use 15 or later`),
    missing.length === 0
      ? ok("migrations", "All are applied")
      : failed("migrations", `${missing.join(", ")} are missing: run livery migrate`),
    ...(missing.length === 0 ? [writes] : []),
    may_create
      ? ok("privileges", "The role may apply migrations")
      : warning("privileges", "The role may not create tables: run livery migrate as another role"),
    Math.abs(offset) <= clockTolerance
      ? ok("clocks", `${Math.abs(offset)} ms apart at most`)
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
  if (smtpUrl === undefined)
    return warning("mail", `SMTP_URL is not set: mail is written to ${join(dataDirectory, "mail")}`)
  const url = new URL(Redacted.value(smtpUrl))
  const port = url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port)
  return (yield* acceptsConnection(url.hostname, port))
    ? ok("mail", `${url.hostname}:${port} accepts connections`)
    : failed("mail", `${url.hostname}:${port} accepts no connection: check SMTP_URL and the mail server`)
})

/** The identifier of no payment. A request for it shows whether the provider accepts the key. */
const noPayment = "pi_livery_doctor"

const payments = Effect.gen(function* () {
  const { stripe } = yield* Settings
  if (stripe.secretKey === undefined)
    return warning("payments", "STRIPE_SECRET_KEY is not set: card payments are refused")
  yield* PaymentProvider.use(({ intent }) => intent(noPayment)).pipe(Effect.provide(cardsOf("doctor")))
  return stripe.webhookSecret === undefined
    ? warning("payments", "STRIPE_WEBHOOK_SECRET is not set: notices of payments are refused")
    : ok("payments", "The provider accepts the key")
})

/**
 * Stores a file and deletes it. The services that it requires are built as at the start of a command, which checks the secret.
 */
const storage = Effect.gen(function* () {
  const files = yield* FileStore
  const name = randomBytes(16).toString("hex")
  yield* files.write(name, new Uint8Array([1]), "application/octet-stream")
  yield* files.remove(name)
  return [ok("secret", "It is the secret of the data"), ok("storage", "A file was stored and deleted")]
})

/** All findings. The secret and the storage are checked only if the database can be used. */
export const diagnosis = Effect.gen(function* () {
  const found = yield* database.pipe(
    Effect.provide(Database.layer),
    Effect.catchCause((cause) => Effect.succeed([failed("database", messageOf(cause))]))
  )
  const isUsable = found.every(({ status }) => status !== "failed")
  const started = isUsable
    ? yield* storage.pipe(
        Effect.provide(Livery),
        Effect.catchCause((cause) => Effect.succeed([failed("start", messageOf(cause))]))
      )
    : []
  return [...found, ...started, yield* finding("mail", mail), yield* finding("payments", payments)]
})
