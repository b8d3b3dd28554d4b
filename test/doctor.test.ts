/** `livery doctor` finds each fault of an installation on its own PostgreSQL, and names the remedy. */
import { makeStripeEmulator } from "@livery/stripe-emulator"
import { Effect, Exit, Redacted, Scope } from "effect"
import { once } from "node:events"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { migrations } from "../packages/persistence/src/migrations/index.ts"
import { runCommand } from "./support/CommandProcess.ts"
import { pgBouncer, pgBouncerIsThere } from "./support/PgBouncer.ts"
import { type Outcome, runLivery } from "./support/Program.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"
import { administer, setReadOnly, TestDatabase } from "./support/TestDatabase.ts"

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const secret = "a secret of thirty-two characters"

interface Finding {
  readonly check: string
  readonly status: string
  readonly detail: string
}

let scope: Scope.Closeable
let base: string
let url: string
beforeEach(async () => {
  scope = Scope.makeUnsafe()
  base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  url = Redacted.value((await Effect.runPromise(Scope.provide(scope)(TestDatabase.create))).url)
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(base, { recursive: true, force: true })
})

/** The command with a file store that does not respond: it waits while the other tests run. */
let stalled: Promise<Outcome> | undefined
const whole = Scope.makeUnsafe()
beforeAll(async () => {
  if (process.platform !== "linux") return
  const place = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  await Effect.runPromise(
    Scope.addFinalizer(
      whole,
      Effect.promise(() => rm(place, { recursive: true, force: true }))
    )
  )
  const database = await Effect.runPromise(Scope.provide(whole)(TestDatabase.create))
  stalled = runLivery(["doctor"], {
    environment: {
      LIVERY_DATA_DIR: join(place, "data"),
      LIVERY_SECRET: secret,
      DATABASE_URL: Redacted.value(database.url),
      // Node never ends the creation of a directory with its parents below /proc.
      UPLOADS_URL: "file:/proc/nope"
    }
  })
})
afterAll(async () => {
  await stalled
  await Effect.runPromise(Scope.close(whole, Exit.void))
})

const execute = (statement: string) => Effect.runPromise(administer(url, statement))

/** The exit code, the standard error, and the status and detail of each check. */
const examine = async (settings: Readonly<Record<string, string>> = {}) => {
  const { code, stderr, stdout } = await runCommand(["doctor", "--json"], {
    environment: {
      LIVERY_DATA_DIR: join(base, "data"),
      LIVERY_SECRET: secret,
      DATABASE_URL: url,
      ...settings
    }
  })
  const { findings } = JSON.parse(stdout) as { readonly findings: ReadonlyArray<Finding> }
  return {
    code,
    stderr,
    found: Object.fromEntries(findings.map(({ check, detail, status }) => [check, `${status}: ${detail}`]))
  }
}

/** Exit code 1 and one line that names the failed checks, each with this detail. */
const refusedAt = async (
  expected: Readonly<Record<string, RegExp>>,
  settings?: Readonly<Record<string, string>>
) => {
  const { code, found, stderr } = await examine(settings)
  assert.strictEqual(code, 1, stderr)
  assert.strictEqual(stderr, `unhealthy: Failed checks: ${Object.keys(expected).join(", ")}\n`)
  for (const [check, detail] of Object.entries(expected)) assert.match(found[check] ?? "", detail)
  return found
}

describe("livery doctor", () => {
  it("finds nothing but missing features in a working installation", async () => {
    const { code, found, stderr } = await examine()
    assert.deepStrictEqual([code, stderr], [0, ""])
    for (const check of [
      "database",
      "migrations",
      "writes",
      "privileges",
      "clocks",
      "secret",
      "storage",
      "counters"
    ])
      assert.match(found[check] ?? "", /^ok: /u, check)
    assert.match(found["mail"] ?? "", /^warning: SMTP_URL is not set/u)
    assert.match(found["payments"] ?? "", /^warning: STRIPE_SECRET_KEY is not set/u)
    const uploads = await readdir(join(base, "data", "uploads"), { recursive: true, withFileTypes: true })
    assert.deepStrictEqual(
      uploads.filter((entry) => entry.isFile()),
      [],
      "the stored file is deleted"
    )
  })

  it("finds an unreachable database", async () => {
    const other = new URL(url)
    other.pathname = "/absent_livery"
    const settings = { DATABASE_URL: other.href }
    const found = await refusedAt(
      { database: /^failed: .*"absent_livery" does not exist.*: check DATABASE_URL and the server$/u },
      settings
    )
    assert.notProperty(found, "migrations")
  })

  it("finds missing migrations", async () => {
    const newest = Object.keys(migrations).toSorted().at(-1) ?? ""
    await execute(`delete from livery_migrations where name = '${newest}'`)
    const found = await refusedAt({ migrations: new RegExp(`^failed: ${newest} .*run livery migrate$`, "u") })
    assert.notProperty(found, "storage", "nothing is written to a database that lacks migrations")
  })

  it.skipIf(!pgBouncerIsThere)(
    "warns of a pooler in transaction mode until DATABASE_PREPARE is false",
    async () => {
      const pooled = await Effect.runPromise(
        Scope.provide(scope)(pgBouncer(Redacted.make(url), "transaction"))
      )
      const settings = { DATABASE_URL: Redacted.value(pooled) }
      const { code, found } = await examine(settings)
      assert.strictEqual(code, 0)
      assert.match(found["pooler"] ?? "", /^warning: .*set DATABASE_PREPARE=false/u)
      assert.notProperty((await examine({ ...settings, DATABASE_PREPARE: "false" })).found, "pooler")
    }
  )

  it("finds a database that takes no writes", async () => {
    await Effect.runPromise(setReadOnly(url, "on"))
    const found = await refusedAt({ writes: /^failed: The database takes no writes/u })
    assert.match(found["migrations"] ?? "", /^ok: /u)
  })

  /** Replaces a function of PostgreSQL for the installation's sessions. */
  const replaceFunction = async (signature: string, type: string, body: string) => {
    await execute(`create or replace function public.${signature} returns ${type}
      language sql as $body$ select ${body} $body$`)
    await execute(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`)
  }

  it("finds a server that is too old", async () => {
    await replaceFunction(
      "current_setting(text)",
      "text",
      "CASE $1 WHEN 'server_version_num' THEN '140012' WHEN 'server_version' THEN '14.12' ELSE pg_catalog.current_setting($1) END"
    )
    const found = await refusedAt({ database: /^failed: PostgreSQL 14\.12 is too old: use 15 or later$/u })
    assert.match(found["migrations"] ?? "", /^ok: /u)
  })

  it("finds a clock of the database that is ahead or behind", async () => {
    for (const difference of ["+ interval '90 seconds'", "- interval '90 seconds'"]) {
      await replaceFunction("clock_timestamp()", "timestamptz", `pg_catalog.clock_timestamp() ${difference}`)
      const found = await refusedAt({
        clocks: /^failed: This machine's clock and the database's differ by (?:8\d|9\d) s$/u
      })
      assert.match(found["migrations"] ?? "", /^ok: /u)
    }
  })

  it("shows how far the clocks may be apart", async () => {
    await replaceFunction(
      "clock_timestamp()",
      "timestamptz",
      "pg_catalog.clock_timestamp() + interval '20 seconds'"
    )
    const { found } = await examine()
    const [, most = ""] = /^ok: (\d+) ms apart at most$/u.exec(found["clocks"] ?? "") ?? []
    assert.isAtLeast(Number(most), 20_000)
  })

  it("finds a sender with which a server does not start", async () => {
    const found = await refusedAt({ mail: /^failed: MAIL_FROM /u }, { MAIL_FROM: "Ada" })
    assert.strictEqual(found["mail"], "failed: MAIL_FROM is not one email address")
  })

  it("reaches a mail server at an IPv6 address", async () => {
    const server = createServer().listen(0, "::1")
    try {
      await once(server, "listening")
      const listening = server.address()
      const address = `[::1]:${typeof listening === "object" ? listening?.port : ""}`
      const { found } = await examine({ SMTP_URL: `smtp://${address}` })
      assert.strictEqual(found["mail"], `ok: ${address} accepts connections`)
    } finally {
      server.close()
    }
  })

  it("asks the payment provider whether it accepts the key", async () => {
    const stripe = await Effect.runPromise(Scope.provide(scope)(makeStripeEmulator()))
    const own = {
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: Redacted.value(stripe.secretKey),
      STRIPE_WEBHOOK_SECRET: Redacted.value(stripe.webhookSecret)
    }
    const { code, found, stderr } = await examine(own)
    assert.deepStrictEqual([code, stderr], [0, ""], "the expected refusal of the question is not logged")
    assert.match(found["payments"] ?? "", /^ok: The provider accepts the key/u)
    await refusedAt(
      { payments: /^failed: .*does not accept STRIPE_SECRET_KEY/u },
      { ...own, STRIPE_SECRET_KEY: "sk_test_other" }
    )
    await refusedAt(
      { payments: /^failed: The payment provider is not available/u },
      { ...own, STRIPE_API_BASE: "http://127.0.0.1:1" }
    )
  })

  it("finds a role that may not migrate, with which everything else works", async () => {
    const role = `poor_${new URL(url).pathname.slice(1)}`
    await Effect.runPromise(
      Scope.provide(scope)(
        Effect.acquireRelease(administer(url, `create role ${role} login`), () =>
          Effect.andThen(administer(url, `drop owned by ${role}`), administer(url, `drop role ${role}`))
        )
      )
    )
    for (const kind of ["tables", "sequences"])
      await execute(`grant all on all ${kind} in schema public to ${role}`)
    const other = new URL(url)
    other.username = role
    other.searchParams.delete("user")
    if (other.searchParams.has("host")) other.searchParams.set("user", role)
    const { code, found, stderr } = await examine({ DATABASE_URL: other.href })
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(found["privileges"] ?? "", /^warning: The role may not create tables: run livery migrate/u)
    assert.match(found["storage"] ?? "", /^ok: /u)
  })

  it("finds another secret than that of the data, and files that cannot be stored", async () => {
    assert.strictEqual((await examine()).code, 0)
    await refusedAt({ secret: /^failed: LIVERY_SECRET /u }, { LIVERY_SECRET: `another ${secret}` })
    const file = join(base, "file")
    await writeFile(file, "")
    await refusedAt(
      { storage: /^failed: .*file.*: check UPLOADS_URL$/u },
      { UPLOADS_URL: `file://${file}/uploads` }
    )
  })

  it("finds rate counters that do not respond, and names REDIS_URL", async () => {
    const found = await refusedAt(
      {
        counters: /^failed: Redis at 127\.0\.0\.1:1 does not count \(.+\): check REDIS_URL and the server$/u
      },
      { REDIS_URL: "redis://user:password@127.0.0.1:1" }
    )
    assert.match(found["storage"] ?? "", /^ok: /u)
    assert.notInclude(JSON.stringify(found), "password")
  })

  it.runIf(process.platform === "linux")(
    "reports a file store that does not respond, and ends nevertheless",
    async () => {
      const { code, stderr, stdout } = (await stalled) ?? assert.fail("it was not started")
      assert.strictEqual(code, 1, stderr)
      assert.match(stdout, /^storage +failed +It did not respond within 15 s: check UPLOADS_URL/mu)
      assert.strictEqual(stderr, "unhealthy: Failed checks: storage\n")
    }
  )
})
