/**
 * What Livery is told by its environment: every setting with its meaning and its default, in one table. A wrong value
 * stops the start with one line that names it.
 */
import {
  Context,
  Duration,
  Effect,
  Layer,
  Redacted,
  Result,
  Schema,
  SchemaGetter,
  type SchemaIssue
} from "effect"
import { type FilesAddress, type OidcIssuer, readFilesAddress, readIssuers } from "@livery/integrations"
import { readConnectionUrl } from "@livery/persistence"
import { isRedisAddress, isSmtpAddress, isWebAddress } from "./Addresses.ts"

const whole = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,9}$/u)).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

const expectWhole = (minimum: number, maximum: number) => ({
  description: `a whole number from ${minimum} to ${maximum}`
})

const wholeNumber = (minimum: number, maximum: number, fallback: number) =>
  whole(minimum, maximum).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(String(fallback))),
    Schema.annotateKey(expectWhole(minimum, maximum))
  )

const text = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern)).pipe(Schema.annotateKey({ description: expected }))

const address = (isOne: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter(isOne)).pipe(Schema.annotateKey({ description: expected }))

const flag = (fallback: "true" | "false") =>
  Schema.Literals(["true", "false"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(fallback)),
    Schema.annotateKey({ description: "`true` or `false`" })
  )

/** The environment's variables. */
const Environment = Schema.Struct({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: text(/^\S+$/u, "an address or a name to listen on").pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("127.0.0.1"))
  ),
  WORKERS_PORT: Schema.optionalKey(whole(0, 65_535).pipe(Schema.annotateKey(expectWhole(0, 65_535)))),
  BASE_URL: Schema.optionalKey(address(isWebAddress, "an http or https address")),
  APP_URL: Schema.optionalKey(address(isWebAddress, "an http or https address")),
  DATABASE_URL: Schema.optionalKey(Schema.String),
  DATABASE_POOL: wholeNumber(1, 1000, 10),
  DATABASE_PREPARE: flag("true"),
  LIVERY_DATA_DIR: text(/\S/u, "a directory").pipe(Schema.withDecodingDefaultKey(Effect.succeed(".livery"))),
  LIVERY_SECRET: Schema.optionalKey(text(/^[\s\S]{32,}$/u, "at least 32 characters")),
  SMTP_URL: Schema.optionalKey(address(isSmtpAddress, "an smtp:// or smtps:// address")),
  MAIL_FROM: text(/\S/u, "an email address").pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("Livery <livery@localhost>"))
  ),
  OIDC_ISSUERS: Schema.optionalKey(
    address(
      (pairs) => readIssuers(pairs) !== undefined,
      "comma-separated pairs `issuer;audience`, each issuer an https address"
    )
  ),
  UPLOADS_URL: Schema.optionalKey(
    address(
      (place) => readFilesAddress(place) !== undefined,
      "`file:` and a directory, or `s3://bucket/prefix?region=…&endpoint=…`"
    )
  ),
  REFRESH_GRACE_SECONDS: wholeNumber(0, 300, 0),
  SHUTDOWN_GRACE: wholeNumber(0, 300, 5),
  WEBHOOKS_ALLOW_INSECURE: flag("false"),
  RATE_LIMIT_BUSINESS: wholeNumber(1, 100_000_000, 600),
  RATE_LIMIT_AUTH: wholeNumber(1, 100_000_000, 20),
  RATE_LIMIT_PUBLIC: wholeNumber(1, 100_000_000, 120),
  REDIS_URL: Schema.optionalKey(address(isRedisAddress, "a redis:// or rediss:// address")),
  TRUSTED_PROXIES: wholeNumber(0, 10, 0),
  LOG_LEVEL: Schema.Literals(["debug", "info", "warn", "error"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("info" as const)),
    Schema.annotateKey({ description: "`debug`, `info`, `warn` or `error`" })
  )
})
type Environment = typeof Environment.Type

/** A setting is wrong. The value is not told: it may be a secret. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  setting: Schema.String,
  expected: Schema.String
}) {
  override get message() {
    return `${this.setting} must be ${this.expected}`
  }
}

const firstWrong = (issue: SchemaIssue.Issue): string => {
  switch (issue._tag) {
    case "Pointer":
      return String(issue.path[0])
    case "Composite":
      return firstWrong(issue.issues[0])
    case "Encoding":
    case "Filter":
      return firstWrong(issue.issue)
    default:
      return "the environment"
  }
}

const isText = Schema.is(Schema.String)

/** What each variable must be, as its field says. */
const expectations = new Map<string, string>(
  Object.entries(Environment.fields).map(([name, field]) => {
    const expected: unknown = field.ast.context?.annotations?.["description"]
    return [name, isText(expected) ? expected : "something else"]
  })
)

const decode = Schema.decodeUnknownEffect(Environment)

/** Settings, ready for use. */
export interface SettingsShape {
  readonly port: number
  readonly host: string
  /** Where workers that run alone are watched; undefined unless told. */
  readonly workersPort: number | undefined
  /** The public address, without a slash at its end; undefined unless told, since the port may not be known yet. */
  readonly baseUrl: string | undefined
  /** The address of the app that people use, where letters lead them; undefined where there is none. */
  readonly appUrl: string | undefined
  /** Undefined: the embedded PostgreSQL in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  readonly databasePool: number
  readonly databasePrepare: boolean
  readonly dataDirectory: string
  readonly secret: Redacted.Redacted | undefined
  readonly smtpUrl: Redacted.Redacted | undefined
  readonly mailFrom: string
  /** Where uploads are kept; undefined: in `dataDirectory`. */
  readonly uploads: FilesAddress | undefined
  /** None: nobody signs in with an identity provider. */
  readonly identityIssuers: ReadonlyArray<OidcIssuer>
  /** How long the last refresh token may be presented again, by who lost the answer. */
  readonly refreshGraceSeconds: number
  /** How long the API serves after SIGTERM, before it refuses new connections. */
  readonly shutdownGrace: Duration.Duration
  readonly webhooksAllowInsecure: boolean
  readonly limits: { readonly business: number; readonly auth: number; readonly public: number }
  /** Where rate counters are shared; undefined: in the database of `databaseUrl`, or in this process. */
  readonly redisUrl: Redacted.Redacted | undefined
  readonly trustedProxies: number
  readonly logLevel: Environment["LOG_LEVEL"]
}

const redacted = (value: string | undefined) => (value === undefined ? undefined : Redacted.make(value))

/** Settings from an environment. Empty variables count as absent. */
export const read = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<SettingsShape, SettingRefused> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== "")
  )
  const told = yield* decode(given).pipe(
    Effect.mapError(({ issue }) => {
      const setting = firstWrong(issue)
      return new SettingRefused({ setting, expected: expectations.get(setting) ?? "something else" })
    })
  )
  const database =
    told.DATABASE_URL === undefined ? Result.succeed(undefined) : readConnectionUrl(told.DATABASE_URL)
  if (Result.isFailure(database))
    return yield* new SettingRefused({ setting: "DATABASE_URL", expected: database.failure.expected })
  if (told.DATABASE_URL !== undefined && told.LIVERY_SECRET === undefined)
    return yield* new SettingRefused({
      setting: "LIVERY_SECRET",
      expected: "set with DATABASE_URL: at least 32 characters, the same on every node"
    })
  return {
    port: told.PORT,
    host: told.HOST,
    workersPort: told.WORKERS_PORT,
    baseUrl: told.BASE_URL?.replace(/\/+$/u, ""),
    appUrl: told.APP_URL?.replace(/\/+$/u, ""),
    databaseUrl: redacted(told.DATABASE_URL),
    databasePool: told.DATABASE_POOL,
    databasePrepare: told.DATABASE_PREPARE === "true",
    dataDirectory: told.LIVERY_DATA_DIR,
    secret: redacted(told.LIVERY_SECRET),
    smtpUrl: redacted(told.SMTP_URL),
    mailFrom: told.MAIL_FROM,
    uploads: told.UPLOADS_URL === undefined ? undefined : readFilesAddress(told.UPLOADS_URL),
    identityIssuers: readIssuers(told.OIDC_ISSUERS ?? "") ?? [],
    refreshGraceSeconds: told.REFRESH_GRACE_SECONDS,
    shutdownGrace: Duration.seconds(told.SHUTDOWN_GRACE),
    webhooksAllowInsecure: told.WEBHOOKS_ALLOW_INSECURE === "true",
    limits: {
      business: told.RATE_LIMIT_BUSINESS,
      auth: told.RATE_LIMIT_AUTH,
      public: told.RATE_LIMIT_PUBLIC
    },
    redisUrl: redacted(told.REDIS_URL),
    trustedProxies: told.TRUSTED_PROXIES,
    logLevel: told.LOG_LEVEL
  }
})

/** The settings of this process. */
export class Settings extends Context.Service<Settings, SettingsShape>()("@livery/cli/Settings") {
  static readonly layer = Layer.effect(
    Settings,
    Effect.suspend(() => read(process.env))
  )
}
