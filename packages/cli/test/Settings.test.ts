import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { read } from "../src/settings/Settings.ts"

const secret = "x".repeat(32)

const refusalOf = (environment: Record<string, string>) =>
  Effect.flip(read({ LIVERY_SECRET: secret, ...environment }))

/** Faults of addresses that would otherwise appear only when the address is used, long after the start. */
const unreadable = ["[", "exa<mple", "h:99999", "a b"]

describe("a setting that is an address", () => {
  for (const [setting, scheme, addresses] of [
    ["BASE_URL", "https", ["?a=b", "h?a=b", "h#a", "h/%zz"]],
    ["APP_URL", "http", ["h?a=b", "h#a", "h/%ff"]],
    ["DATABASE_URL", "postgresql", ["h/%ff", "u%ff:p@h/x"]],
    ["DATABASE_READ_URL", "postgresql", ["h/%ff", "u%ff:p@h/x"]],
    ["SMTP_URL", "smtp", ["", "%zz:p@h", "u:%ff@h", "/x"]],
    ["ROUTING_URL", "http", ["h?a=b", "h#a", "h/%ff"]],
    ["REDIS_URL", "redis", ["", "%zz@h", "u:%ff@h", "h/first"]]
  ] as const)
    it.effect.each([
      ...unreadable.filter((text) => scheme !== "postgresql" || text !== "exa<mple"),
      ...addresses
    ])(`${setting} is refused by name if its directory cannot be read: ${scheme}://%j`, (address) =>
      Effect.gen(function* () {
        const refusal = yield* refusalOf({ [setting]: `${scheme}://${address}` })
        assert.strictEqual(refusal.setting, setting)
        assert.match(refusal.message, new RegExp(`^${setting} must be [^\\n]+ address[^\\n]*$`, "u"))
      })
    )

  it.effect("of a replica is refused without the address of the server that it follows", () =>
    Effect.gen(function* () {
      const refusal = yield* refusalOf({ DATABASE_READ_URL: "postgresql://replica/livery" })
      assert.strictEqual(
        refusal.message,
        "DATABASE_URL must be set with DATABASE_READ_URL: the server that the replica follows"
      )
    })
  )

  it.effect.each(["s3://bucket/%zz", "s3://[", "file:%zz", "s3://bucket?endpoint=http://[", "ftp://x"])(
    "UPLOADS_URL is refused by name if it cannot be parsed: %s",
    (address) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* refusalOf({ UPLOADS_URL: address })).setting, "UPLOADS_URL")
      })
  )

  it.effect.each(["https://[;app", "https://id.example.com", ";app", "https://id.example.com;app,"])(
    "OIDC_ISSUERS is refused by name if it cannot be parsed: %s",
    (pairs) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* refusalOf({ OIDC_ISSUERS: pairs })).setting, "OIDC_ISSUERS")
      })
  )

  it.effect.each([
    { STRIPE_API_BASE: "http://stripe.example" },
    { STRIPE_API_BASE: "https://stripe.example/v1" },
    { STRIPE_API_BASE: "https://user:word@stripe.example" },
    { STRIPE_SECRET_KEY: "pk_test_publishable" },
    { STRIPE_WEBHOOK_SECRET: "sk_test_mistaken" }
  ])("of the payment provider is refused by name if the provider would refuse it: %j", (environment) =>
    Effect.gen(function* () {
      const refusal = yield* refusalOf(environment)
      assert.strictEqual(refusal.setting, Object.keys(environment)[0])
      assert.match(refusal.message, /^STRIPE_[A-Z_]+ must be [^\n]+$/u)
    })
  )

  it.effect.each([
    {
      STRIPE_API_BASE: "http://127.0.0.1:4242",
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_WEBHOOK_SECRET: "whsec_1"
    },
    { BASE_URL: "https://api.example.com/livery/" },
    { BASE_URL: "http://[::1]:3000", APP_URL: "http://localhost:8080/app" },
    { DATABASE_URL: "postgresql://livery:p%40ss@db.example.com:5432/livery?sslmode=require" },
    { DATABASE_URL: "postgres://livery:50%off@db/livery" },
    { DATABASE_URL: "postgresql:///livery?host=/var/run/postgresql" },
    {
      DATABASE_URL: "postgresql://livery@10.0.0.1,10.0.0.2:6432/livery?target_session_attrs=read-write",
      DATABASE_READ_URL: "postgresql://livery@10.0.0.2,10.0.0.3/livery?target_session_attrs=prefer-standby"
    },
    { SMTP_URL: "smtps://user%40example.com:p%2Fw@mail.example.com:465?ignoreTLS=true" },
    { REDIS_URL: "redis://:secret@cache:6379/2" },
    { REDIS_URL: "rediss://cache" },
    { ROUTING_URL: "http://osrm:5000" }
  ])("is taken as others write it: %j", (environment) =>
    Effect.asVoid(read({ LIVERY_SECRET: secret, ...environment }))
  )
})
