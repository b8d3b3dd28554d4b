import { Effect, Exit, Redacted, Scope } from "effect"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { createServer, type Server as TcpServer } from "node:net"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { migrations } from "../packages/persistence/src/migrations/index.ts"
import { clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { launch, type Outcome, outcomeOf, type Program, runLivery } from "./support/Program.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"
import { serverOf } from "./support/Server.ts"
import { administer, setReadOnly, TestDatabase } from "./support/TestDatabase.ts"

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 })

const secret = "a secret of thirty-two characters"

let scope: Scope.Closeable
let base: string
const programs: Array<Program> = []
beforeEach(async () => {
  scope = Scope.makeUnsafe()
  base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
})
afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.ending() === undefined) program.signal("SIGKILL")
    await program.ended
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(base, { recursive: true, force: true })
})

const within = <A>(work: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.runPromise(Scope.provide(scope)(work))

const addressOf = async (database: typeof TestDatabase.empty) => Redacted.value((await within(database)).url)

const settingsOf = (url: string) => ({
  LIVERY_DATA_DIR: join(base, "data"),
  LIVERY_SECRET: secret,
  DATABASE_URL: url,
  PORT: "0",
  WORKERS_PORT: "0",
  SHUTDOWN_GRACE: "0"
})

const start = (url: string, ...flags: ReadonlyArray<string>) => {
  const program = launch(["serve", ...flags], { environment: settingsOf(url) })
  programs.push(program)
  return program
}

/** The line of a start that was refused; the whole output if it is anything else. */
const refusal = ({ code, stderr, stdout }: Outcome, expectedCode = 1) =>
  code === expectedCode && stdout === "" && /^[^\n]+\n$/u.test(stderr)
    ? stderr
    : `not one line and exit code ${expectedCode}, but ${code}: ${stdout}${stderr}`

const listening = async (server: TcpServer) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

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
    "is unreachable",
    async () => {
      const server = createServer()
      const port = await listening(server)
      await new Promise((resolve) => server.close(resolve))
      return `postgresql://livery@127.0.0.1:${port}/livery`
    },
    /^The database cannot be used: .*ECONNREFUSED/u
  ],
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

  it.for(["--only api", "--only webhooks", "--migrate"])("is unreachable, with %s", async (flags) => {
    const outcome = await outcomeOf(start("postgresql://livery@127.0.0.1:1/livery", ...flags.split(" ")))
    assert.match(refusal(outcome), /^The database cannot be used: .*ECONNREFUSED/u)
  })

  it("does not answer a connection", async () => {
    const silent = createServer()
    const url = `postgresql://livery@127.0.0.1:${await listening(silent)}/livery`
    try {
      assert.match(refusal(await outcomeOf(start(url))), /^The database cannot be used: /u)
    } finally {
      silent.close()
    }
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

const waits = (program: Program, reason: RegExp) =>
  vi.waitFor(
    () => {
      const lines = program.stderr().split("\n")
      assert.isTrue(lines.some((line) => line.includes("waiting for the database") && reason.test(line)))
    },
    { timeout: 60_000, interval: 10 }
  )

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

  it("ends with 0 on SIGTERM while it waits", async () => {
    const program = start("postgresql://livery@127.0.0.1:1/livery", "--wait")
    await waits(program, /ECONNREFUSED/u)
    program.signal("SIGTERM")
    assert.deepInclude(await outcomeOf(program), { code: 0, stdout: "" })
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

describe("the secret of a data directory", () => {
  let place: Installation
  beforeEach(async () => {
    place = await installation({ embedded: true })
  })
  afterEach(() => place.remove())

  it("is made once, also by commands that start at once", async () => {
    const create = (name: string) =>
      place.run(["users", "create", "--name", name, "--email", `${name}@b.example`], {
        input: "bletchley park\n"
      })
    for (const { code, stderr } of await Promise.all(["a", "b"].map(create)))
      assert.strictEqual(code, 0, stderr)
    const names = await readdir(place.directory)
    assert.deepStrictEqual(
      names.filter((name) => name.includes("secret")),
      ["secret"]
    )
  })

  it("is not made anew beside data, and a refused start leaves the directory as it was", async () => {
    const first = await place.serve()
    await first.stop()
    const file = join(place.directory, "secret")
    await rename(file, join(base, "secret"))
    const before = (await readdir(place.directory)).toSorted()
    assert.match(
      refusal(await place.run(["serve"])),
      /secret.* is missing, and there is data that was sealed with it/u
    )
    assert.isUndefined(place.postmaster(), "its database does not run on")
    assert.deepStrictEqual((await readdir(place.directory)).toSorted(), before)

    await writeFile(file, `${"x".repeat(43)}\n`)
    assert.match(refusal(await place.run(["serve"]), 2), /^The secret in LIVERY_DATA_DIR is not the one/u)
    assert.isUndefined(place.postmaster())

    await writeFile(file, await readFile(join(base, "secret")))
    assert.strictEqual((await (await place.serve()).stop()).code, 0)
  })

  it("is not made, nor the directory, by a start whose port is taken", async () => {
    const taken = createServer()
    const port = String(await listening(taken))
    const settings = { PORT: port, WORKERS_PORT: port, HOST: "127.0.0.1" }
    try {
      assert.match(refusal(await place.run(["serve"], { settings })), /^PORT /u)
      const workers = await place.run(["serve", "--only", "webhooks"], { settings })
      assert.match(refusal(workers), /^WORKERS_PORT /u)
      assert.isFalse(existsSync(place.directory))
    } finally {
      taken.close()
    }
  })
})
