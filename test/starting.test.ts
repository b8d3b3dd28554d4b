import { Effect, Redacted } from "effect"
import { assert, describe, it, vi } from "vitest"
import { migrations } from "../packages/persistence/src/migrations/index.ts"
import { clientOf } from "./support/Client.ts"
import { outcomeOf, type Program, runLivery } from "./support/Program.ts"
import { serverOf } from "./support/Server.ts"
import { refusal, starts, waits } from "./support/Starts.ts"
import { administer, setReadOnly, TestDatabase } from "./support/TestDatabase.ts"

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 })

const { settingsOf, start, within } = starts()

const addressOf = async (database: typeof TestDatabase.empty) => Redacted.value((await within(database)).url)

const changed = (url: string, change: (url: URL) => void) => {
  const other = new URL(url)
  change(other)
  return other.href
}

const readOnly = (url: string, value: "on" | "off") => Effect.runPromise(setReadOnly(url, value))

const newest = Object.keys(migrations).toSorted().at(-1) ?? ""

/** Databases that cannot be used: how to make one, and the line that names what is wrong with it. */
const unusable: ReadonlyArray<readonly [string, () => Promise<string>, RegExp]> = [
  [
    "has an unknown role",
    async () =>
      changed(await addressOf(TestDatabase.create), (url) => {
        url.username = "nobody_known"
        url.searchParams.delete("user")
        if (url.searchParams.has("host")) url.searchParams.set("user", "nobody_known")
      }),
    /^The database cannot be used: .*role "nobody_known" does not exist/u
  ],
  [
    "is absent",
    async () =>
      changed(await addressOf(TestDatabase.create), (url) => {
        url.pathname = "/absent_livery"
      }),
    /^The database cannot be used: .*database "absent_livery" does not exist/u
  ],
  [
    "was never migrated",
    () => addressOf(TestDatabase.empty),
    /^The database was never migrated: run `livery migrate`, or start with --migrate\n/u
  ],
  [
    "lacks a migration",
    async () => {
      const url = await addressOf(TestDatabase.create)
      await Effect.runPromise(administer(url, `delete from livery_migrations where name = '${newest}'`))
      return url
    },
    new RegExp(`^The database lacks the migrations ${newest}: run \`livery migrate\``, "u")
  ],
  [
    "takes no writes",
    async () => {
      const url = await addressOf(TestDatabase.create)
      await readOnly(url, "on")
      return url
    },
    /^The database takes no writes: it is a standby, or set to be read-only\n/u
  ]
]

describe("a start exits with one line if the database", () => {
  it.for(unusable)("%s", async ([, make, expected]) => {
    assert.match(refusal(await outcomeOf(start(await make()))), expected)
  })
})

/** The status that a server reports of itself once it has started. It is stopped then. */
const readiness = async (program: Program) => {
  const server = await serverOf(program)
  const { status } = await clientOf(server.address).get("/health/ready")
  await server.stop()
  return status
}

describe("serve --migrate", () => {
  it("applies the missing migrations and starts, also on two nodes at once", async () => {
    const url = await addressOf(TestDatabase.empty)
    const nodes = [start(url, "--migrate"), start(url, "--migrate")]
    assert.deepStrictEqual(await Promise.all(nodes.map(readiness)), [200, 200])
    assert.strictEqual(await readiness(start(url)), 200)
  })

  it("gives the server's reason if the role may not migrate", async () => {
    const url = await addressOf(TestDatabase.empty)
    const role = `poor_${new URL(url).pathname.slice(1)}`
    await within(
      Effect.acquireRelease(administer(url, `create role ${role} login`), () =>
        administer(url, `drop role ${role}`)
      )
    )
    const asPoor = changed(url, (other) => {
      other.username = role
      other.searchParams.delete("user")
      if (other.searchParams.has("host")) other.searchParams.set("user", role)
    })
    const outcome = await outcomeOf(start(asPoor, "--migrate"))
    assert.match(refusal(outcome), /^The database cannot be used: permission denied for schema public\n/u)
  })
})

describe("serve --wait", () => {
  it("waits until the database is migrated, and logs the reason once", async () => {
    const url = await addressOf(TestDatabase.empty)
    const program = start(url, "--wait")
    await waits(program, /never migrated/u)
    assert.isUndefined(program.ending())
    const { code, stderr } = await runLivery(["migrate"], { environment: settingsOf(url) })
    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(await readiness(program), 200)
    assert.lengthOf(program.stderr().match(/never migrated/gu) ?? [], 1)
  })

  it("waits until the database takes writes", async () => {
    const url = await addressOf(TestDatabase.create)
    await readOnly(url, "on")
    const program = start(url, "--wait", "--migrate")
    await waits(program, /takes no writes/u)
    await readOnly(url, "off")
    assert.strictEqual(await readiness(program), 200)
  })
})

it("an outage is one line in the log, without a trace, and its end another", async () => {
  const { proxy, url } = await within(TestDatabase.proxied)
  const server = await serverOf(start(Redacted.value(url)))
  const client = clientOf(server.address)
  assert.strictEqual((await client.get("/health/ready")).status, 200)
  proxy.admits = false
  proxy.cutAll()
  for (let asked = 0; asked < 5; asked += 1) {
    assert.strictEqual((await client.get("/health/ready")).status, 503)
    const login = { email: "a@b.example", password: "bletchley park" }
    assert.isAtLeast((await client.post("/api/v1/auth/login", login)).status, 400)
  }
  proxy.admits = true
  await vi.waitFor(async () => assert.strictEqual((await client.get("/health/ready")).status, 200), {
    timeout: 60_000,
    interval: 20
  })
  const { code, stderr } = await server.stop()
  assert.strictEqual(code, 0)
  const lines = stderr.split("\n").filter((line) => /"message":"the database/u.test(line))
  assert.lengthOf(lines, 2, stderr)
  assert.include(lines[0], "the database does not answer")
  assert.include(lines[1], "the database answers again")
  assert.notMatch(stderr, /\bat \S+ \(|\bat file:/u, "no traces")
})

describe("LIVERY_SECRET", () => {
  it("refuses the start if the data was sealed with another one", async () => {
    const environment = settingsOf(await addressOf(TestDatabase.create))
    const other = { ...environment, LIVERY_SECRET: "another secret of 32 characters!" }
    const user = ["users", "create", "--name", "A", "--email", "a@b.example"]
    const made = await runLivery(user, { environment, input: "bletchley park\n" })
    assert.strictEqual(made.code, 0, made.stderr)
    for (const args of [["serve", "--wait"], ["serve", "--only", "webhooks"], user])
      assert.match(
        refusal(await runLivery(args, { environment: other, input: "bletchley park\n" }), 2),
        /^LIVERY_SECRET is not the secret that the data was sealed with/u
      )
    assert.strictEqual(await readiness(start(environment.DATABASE_URL)), 200)
  })
})
