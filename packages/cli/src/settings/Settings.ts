/**
 * The settings that Livery reads from its environment, in one table: each variable, its check and its default. A wrong
 * value stops the start with one line that names the variable.
 */
import { Context, Duration, Effect, Layer, Option, Redacted, Result, Schema, type SchemaIssue } from "effect"
import {
  type FilesAddress,
  FlightFields,
  FlightHeaders,
  geocodingKindOf,
  isStripeAddress,
  isStripeKey,
  isStripeWebhookSecret,
  type OidcIssuer,
  readFilesAddress,
  readIssuers,
  type StripeSettings
} from "@livery/integrations"
import { readConnectionUrl } from "@livery/persistence"
import { readTelemetry, telemetryVariables, type TelemetrySettings } from "./TelemetrySettings.ts"
import { expectWhole, flag, rateLimit, text, textWhere, whole, wholeNumber } from "./SettingSchemas.ts"
import { isRedisAddress, isSmtpAddress, isWebAddress } from "./Addresses.ts"

const readFlightFields = Schema.decodeUnknownOption(FlightFields)
const readFlightHeaders = Schema.decodeUnknownOption(FlightHeaders)

/** The environment's variables. */
const Environment = Schema.Struct({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: text(/^\S+$/u, "an address or a name to listen on").pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("127.0.0.1"))
  ),
  WORKERS_PORT: Schema.optionalKey(whole(0, 65_535).pipe(Schema.annotateKey(expectWhole(0, 65_535)))),
  BASE_URL: Schema.optionalKey(textWhere(isWebAddress, "an http or https address")),
  APP_URL: Schema.optionalKey(textWhere(isWebAddress, "an http or https address")),
  LIVERY_PAGES: Schema.Literals(["on", "off"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("on" as const)),
    Schema.annotateKey({ description: "`on` or `off`" })
  ),
  DATABASE_URL: Schema.optionalKey(Schema.String),
  DATABASE_READ_URL: Schema.optionalKey(Schema.String),
  DATABASE_READ_LAG_MS: wholeNumber(1, 60_000, 100),
  DATABASE_POOL: wholeNumber(1, 1000, 10),
  DATABASE_PREPARE: flag("true"),
  LIVERY_DATA_DIR: text(/\S/u, "a directory").pipe(Schema.withDecodingDefaultKey(Effect.succeed(".livery"))),
  LIVERY_SECRET: Schema.optionalKey(text(/^[\s\S]{32,}$/u, "at least 32 characters")),
  LIVERY_SECRET_PREVIOUS: Schema.optionalKey(text(/^[\s\S]{32,}$/u, "at least 32 characters")),
  SMTP_URL: Schema.optionalKey(textWhere(isSmtpAddress, "an smtp:// or smtps:// address")),
  MAIL_FROM: text(/\S/u, "an email address").pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("Livery <livery@localhost>"))
  ),
  OIDC_ISSUERS: Schema.optionalKey(
    textWhere(
      (pairs) => readIssuers(pairs) !== undefined,
      "comma-separated `issuer;audience` or `issuer;audience;name;secret`, each issuer an https address"
    )
  ),
  STRIPE_SECRET_KEY: Schema.optionalKey(
    textWhere(isStripeKey, "a secret key (`sk_…`) or a restricted key (`rk_…`)")
  ),
  STRIPE_WEBHOOK_SECRET: Schema.optionalKey(textWhere(isStripeWebhookSecret, "a webhook secret (`whsec_…`)")),
  STRIPE_PUBLISHABLE_KEY: Schema.optionalKey(text(/^pk_\w+$/u, "a publishable key (`pk_…`)")),
  STRIPE_API_BASE: Schema.optionalKey(
    textWhere(isStripeAddress, "an https address, or an http address of this machine, without a path")
  ),
  UPLOADS_URL: Schema.optionalKey(
    textWhere(
      (place) => readFilesAddress(place) !== undefined,
      "`file:` and a directory, or `s3://bucket/prefix?region=…&endpoint=…`"
    )
  ),
  REFRESH_GRACE_SECONDS: wholeNumber(0, 300, 0),
  SHUTDOWN_GRACE: wholeNumber(0, 300, 5),
  WEBHOOKS_ALLOW_INSECURE: flag("false"),
  RATE_LIMIT_BUSINESS: rateLimit,
  RATE_LIMIT_AUTH: rateLimit,
  RATE_LIMIT_PUBLIC: rateLimit,
  REDIS_URL: Schema.optionalKey(textWhere(isRedisAddress, "a redis:// or rediss:// address")),
  GEOCODING_URL: Schema.optionalKey(
    textWhere(
      (text) => isWebAddress(text) && geocodingKindOf(new URL(text)) !== undefined,
      "an http or https address that ends with `/api` (Photon) or `/search` (Nominatim)"
    )
  ),
  FLIGHTS_URL: Schema.optionalKey(
    textWhere(
      (text) => URL.canParse(text) && text.includes("{"),
      "an address with {flight} or {airline} and {number}"
    )
  ),
  FLIGHTS_HEADERS: Schema.optionalKey(
    textWhere(
      (text) => Option.isSome(readFlightHeaders(text)),
      "a JSON object with the headers of the request"
    )
  ),
  FLIGHTS_FIELDS: Schema.optionalKey(
    textWhere(
      (text) => Option.isSome(readFlightFields(text)),
      "a JSON object with the path of `scheduled` and of other fields"
    )
  ),
  FLIGHTS_SECRET: Schema.optionalKey(Schema.String),
  MAP_STYLE_URL: Schema.optionalKey(textWhere(isWebAddress, "an http or https address")),
  ROUTING_URL: Schema.optionalKey(textWhere(isWebAddress, "an http or https address")),
  TRUSTED_PROXIES: wholeNumber(0, 10, 0),
  LOG_LEVEL: Schema.Literals(["debug", "info", "warn", "error"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("info" as const)),
    Schema.annotateKey({ description: "`debug`, `info`, `warn` or `error`" })
  ),
  ...telemetryVariables
})
type Environment = typeof Environment.Type

/** A setting is wrong. The error does not contain the value, which may be a secret. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  setting: Schema.String,
  expected: Schema.String
}) {
  override get message() {
    return `${this.setting} must be ${this.expected}`
  }
}

/** The variable that an issue is about; of several issues, the first one. */
const wrongVariable = (issue: SchemaIssue.Issue): string => {
  switch (issue._tag) {
    case "Pointer":
      return String(issue.path[0])
    case "Composite":
      return wrongVariable(issue.issues[0])
    case "Encoding":
    case "Filter":
      return wrongVariable(issue.issue)
    default:
      return "the environment"
  }
}

const isText = Schema.is(Schema.String)

/** The description of the values that each variable may have. */
const expectations = new Map<string, string>(
  Object.entries(Environment.fields).map(([name, field]) => {
    const expected: unknown = field.ast.context?.annotations?.["description"]
    return [name, isText(expected) ? expected : "a valid value"]
  })
)

const decode = Schema.decodeUnknownEffect(Environment)

/** The service of flight status; undefined unless its address and its fields are set. */
const flightsOf = ({ FLIGHTS_FIELDS, FLIGHTS_HEADERS, FLIGHTS_SECRET, FLIGHTS_URL }: Environment) => {
  const fields = Option.getOrUndefined(readFlightFields(FLIGHTS_FIELDS ?? ""))
  if (FLIGHTS_URL === undefined || fields === undefined) return undefined
  const { list = "", ...places } = fields
  const headers = Option.getOrElse(readFlightHeaders(FLIGHTS_HEADERS ?? ""), () => ({}))
  return { url: FLIGHTS_URL, headers, list, fields: places, secret: redacted(FLIGHTS_SECRET) }
}

/** The settings, decoded. */
export interface SettingsShape {
  readonly port: number
  readonly host: string
  /** The port of `/metrics` and `/health` of workers that run without the API; undefined if it is not set. */
  readonly workersPort: number | undefined
  /** The public address, without a slash at its end; undefined if it is not set. */
  readonly baseUrl: string | undefined
  /** The address of the web app, for the links in messages; undefined if there is none. */
  readonly appUrl: string | undefined
  /** Whether the server has pages for people. */
  readonly pages: boolean
  /** Undefined: the embedded PostgreSQL in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** A replica of that database, which may answer lists and reports. */
  readonly databaseReadUrl: Redacted.Redacted | undefined
  /** How long a read waits until the replica has all that was committed before. */
  readonly databaseReadLag: Duration.Duration
  readonly databasePool: number
  readonly databasePrepare: boolean
  readonly dataDirectory: string
  readonly secret: Redacted.Redacted | undefined
  /** The secret before the present one. It is accepted too while the secret is rotated. */
  readonly previousSecret: Redacted.Redacted | undefined
  readonly smtpUrl: Redacted.Redacted | undefined
  readonly mailFrom: string
  /** Where uploads are stored; undefined: in `dataDirectory`. */
  readonly uploads: FilesAddress | undefined
  /** If empty, signing in with an identity provider is unavailable. */
  readonly identityIssuers: ReadonlyArray<OidcIssuer>
  /** How long the previous refresh token still works, for a client that lost the response. */
  readonly refreshGraceSeconds: number
  /** How long the API accepts new connections after SIGTERM. */
  readonly shutdownGrace: Duration.Duration
  readonly webhooksAllowInsecure: boolean
  /** The payment provider; without a secret key, card payments are unavailable. */
  readonly stripe: StripeSettings
  /** The provider's key for browsers; undefined: pages offer no cards. */
  readonly stripePublishableKey: string | undefined
  /** The rate limits that the environment fixes; the others are platform settings. */
  readonly limits: {
    readonly business: number | undefined
    readonly auth: number | undefined
    readonly public: number | undefined
  }
  /** The Redis of the rate counters; undefined: the database of `databaseUrl`, or this process. */
  readonly redisUrl: Redacted.Redacted | undefined
  /** The routing server that estimates distances and times; undefined: great circles. */
  readonly routingUrl: URL | undefined
  /** The server that finds addresses; undefined: visitors type them. */
  readonly geocodingUrl: URL | undefined
  /** The service of flight status; undefined: pickups do not follow flights. */
  readonly flights: ReturnType<typeof flightsOf>
  /** The style of the map on the tracking page; undefined: a schematic map. */
  readonly mapStyleUrl: URL | undefined
  readonly trustedProxies: number
  readonly logLevel: Environment["LOG_LEVEL"]
  /** Where traces, metrics and log lines are sent. */
  readonly telemetry: TelemetrySettings
}

const redacted = (value: string | undefined) => (value === undefined ? undefined : Redacted.make(value))

/** The variables of an environment, decoded. Empty variables count as absent. */
const decodeEnvironment = (environment: Readonly<Record<string, string | undefined>>) => {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== "")
  )
  return Effect.mapError(decode(given), ({ issue }) => {
    const setting = wrongVariable(issue)
    return new SettingRefused({ setting, expected: expectations.get(setting) ?? "a valid value" })
  })
}

/**
 * Fails unless `DATABASE_URL` is an address of a database, and is set together with `LIVERY_SECRET`. `DATABASE_READ_URL` is such
 * an address too, and is set together with `DATABASE_URL`.
 */
const requireValidDatabase = Effect.fnUntraced(function* (environment: Environment) {
  const { DATABASE_READ_URL, DATABASE_URL, LIVERY_SECRET } = environment
  if (DATABASE_READ_URL !== undefined) {
    const replica = readConnectionUrl(DATABASE_READ_URL, "reads")
    if (Result.isFailure(replica))
      return yield* new SettingRefused({ setting: "DATABASE_READ_URL", expected: replica.failure.expected })
    if (DATABASE_URL === undefined)
      return yield* new SettingRefused({
        setting: "DATABASE_URL",
        expected: "set with DATABASE_READ_URL: the server that the replica follows"
      })
  }
  if (DATABASE_URL === undefined) return
  const database = readConnectionUrl(DATABASE_URL)
  if (Result.isFailure(database))
    return yield* new SettingRefused({ setting: "DATABASE_URL", expected: database.failure.expected })
  if (LIVERY_SECRET === undefined)
    return yield* new SettingRefused({
      setting: "LIVERY_SECRET",
      expected: "set with DATABASE_URL: at least 32 characters, the same on every node"
    })
})

const settingsOf = (decoded: Environment): SettingsShape => ({
  port: decoded.PORT,
  host: decoded.HOST,
  workersPort: decoded.WORKERS_PORT,
  baseUrl: decoded.BASE_URL?.replace(/\/+$/u, ""),
  appUrl: decoded.APP_URL?.replace(/\/+$/u, ""),
  pages: decoded.LIVERY_PAGES === "on",
  databaseUrl: redacted(decoded.DATABASE_URL),
  databaseReadUrl: redacted(decoded.DATABASE_READ_URL),
  databaseReadLag: Duration.millis(decoded.DATABASE_READ_LAG_MS),
  databasePool: decoded.DATABASE_POOL,
  databasePrepare: decoded.DATABASE_PREPARE === "true",
  dataDirectory: decoded.LIVERY_DATA_DIR,
  secret: redacted(decoded.LIVERY_SECRET),
  previousSecret: redacted(decoded.LIVERY_SECRET_PREVIOUS),
  smtpUrl: redacted(decoded.SMTP_URL),
  mailFrom: decoded.MAIL_FROM,
  uploads: decoded.UPLOADS_URL === undefined ? undefined : readFilesAddress(decoded.UPLOADS_URL),
  identityIssuers: readIssuers(decoded.OIDC_ISSUERS ?? "") ?? [],
  refreshGraceSeconds: decoded.REFRESH_GRACE_SECONDS,
  shutdownGrace: Duration.seconds(decoded.SHUTDOWN_GRACE),
  stripe: {
    secretKey: redacted(decoded.STRIPE_SECRET_KEY),
    webhookSecret: redacted(decoded.STRIPE_WEBHOOK_SECRET),
    apiBase: decoded.STRIPE_API_BASE
  },
  stripePublishableKey: decoded.STRIPE_PUBLISHABLE_KEY,
  webhooksAllowInsecure: decoded.WEBHOOKS_ALLOW_INSECURE === "true",
  limits: {
    business: decoded.RATE_LIMIT_BUSINESS,
    auth: decoded.RATE_LIMIT_AUTH,
    public: decoded.RATE_LIMIT_PUBLIC
  },
  redisUrl: redacted(decoded.REDIS_URL),
  geocodingUrl: decoded.GEOCODING_URL === undefined ? undefined : new URL(decoded.GEOCODING_URL),
  flights: flightsOf(decoded),
  mapStyleUrl: decoded.MAP_STYLE_URL === undefined ? undefined : new URL(decoded.MAP_STYLE_URL),
  routingUrl: decoded.ROUTING_URL === undefined ? undefined : new URL(decoded.ROUTING_URL),
  trustedProxies: decoded.TRUSTED_PROXIES,
  logLevel: decoded.LOG_LEVEL,
  telemetry: readTelemetry(decoded)
})

/** Settings from an environment. Empty variables count as absent. */
export const read = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<SettingsShape, SettingRefused> {
  const decoded = yield* decodeEnvironment(environment)
  yield* requireValidDatabase(decoded)
  return settingsOf(decoded)
})

/** The settings of this process. */
export class Settings extends Context.Service<Settings, SettingsShape>()("@livery/cli/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.suspend(() => read(process.env))
  )
  /** The settings of an empty environment. */
  static readonly defaults = Layer.effect(Settings, Effect.orDie(read({})))
}
