import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer, type Server as TcpServer } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { clientOf } from "./support/Client.ts"
import { runCommand } from "./support/CommandProcess.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { launch, runLivery } from "./support/Program.ts"
import { query } from "./support/DatabaseRows.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"
import { serverOf } from "./support/Server.ts"

const manifest = new URL("../packages/cli/package.json", import.meta.url)

describe("livery without a command", () => {
  it("prints its version", async () => {
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { readonly version: string }
    const { code, stdout } = await runLivery(["--version"])
    assert.strictEqual(code, 0)
    assert.include(stdout, version)
  })

  it("prints its help and its version without loading a package", async () => {
    const directory = await mkdtemp(`${scratchPrefix}${process.pid}-`)
    try {
      // No package is installed there.
      for (const part of ["package.json", "bin", "dist"])
        await cp(new URL(part, manifest), join(directory, part), { recursive: true })
      const command = [process.execPath, join(directory, "bin/livery.js")]
      for (const args of [["--help"], ["--version"], ["plans", "--help"]]) {
        const { code, stderr, stdout } = await runLivery(args, { command })
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.strictEqual(stdout, (await runLivery(args)).stdout)
      }
      assert.notStrictEqual((await runLivery(["doctor"], { command })).code, 0, "it needs packages")
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  it.for([
    [["--help"], ["serve", "migrate", "users"]],
    [
      ["serve", "--help"],
      ["--only", "--migrate", "--wait"]
    ],
    [
      ["users", "create", "--help"],
      ["--name", "--email", "--password", "--account-type", "--json"]
    ]
  ] as const)("explains %j", async ([args, reported]) => {
    const { code, stderr, stdout } = await runLivery(args)
    assert.strictEqual(code, 0, stderr)
    for (const word of reported) assert.include(stdout, word)
  })

  it.for([
    [["fly"], /^Unknown subcommand "fly" for "livery"\. See: livery --help\n$/u],
    [["busineses"], /^Unknown subcommand "busineses" .*did you mean businesses\?\)\. See: livery --help\n$/u],
    [
      ["serve", "--only", "everything"],
      /^Invalid value for flag --only: "everything"\. .* See: livery serve --help\n$/u
    ],
    [["serve", "--nonsense"], /^Unrecognized flag: --nonsense .* See: livery serve --help\n$/u],
    [["users", "create"], /^Missing required flag: --name\. See: livery users create --help\n$/u],
    [
      ["users", "create", "--name", "A", "--email", "a@b.example", "--account-type", "D"],
      /See: livery users create --help\n$/u
    ],
    [
      ["businesses", "show", "x", "--json"],
      /^Invalid value for argument <business-id>: "x"\. Expected a number\. See: livery businesses show --help\n$/u
    ],
    [
      ["businesses", "update", "3"],
      /^Name at least one change: --name, .* See: livery businesses update --help\n$/u
    ],
    [
      ["listen", "--forward-to", "nope"],
      /^Invalid value for flag --forward-to: "nope"\. Expected an http or https address.* See: livery listen --help\n$/u
    ]
  ] as const)(
    "exits with 2 and one line on wrong usage, and prints nothing else: %j",
    async ([args, line]) => {
      const { code, stderr, stdout } = await runCommand(args)
      assert.deepStrictEqual([code, stdout], [2, ""], stderr)
      assert.match(stderr, line)
      assert.lengthOf(stderr.split("\n"), 2)
    }
  )
})

describe("a group of commands without a command", () => {
  it.for([
    [[], ["serve", "check"]],
    [["check"], ["money"]],
    [["users"], ["list", "create"]],
    [["secrets"], ["reseal"]]
  ] as const)("prints its help and exits with 2: %j", async ([args, listed]) => {
    const { code, stderr, stdout } = await runCommand(args)
    assert.strictEqual(code, 2, stderr)
    for (const word of listed) assert.match(stdout, new RegExp(`^ +${word}\\b`, "mu"))
  })
})

describe("a wrong setting stops the start with one line that names it", () => {
  let base: string
  let taken: TcpServer
  let port: number
  beforeAll(async () => {
    base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
    taken = createServer()
    port = await new Promise((resolve) => {
      taken.listen(0, "127.0.0.1", () => {
        const address = taken.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
  })
  afterAll(async () => {
    taken.close()
    await rm(base, { recursive: true, force: true })
  })

  const hidden = "hunter2-hunter2"

  it.for([
    ["PORT", { PORT: "abc" }],
    ["BASE_URL", { BASE_URL: "ftp://somewhere" }],
    ["BASE_URL", { BASE_URL: "http://[" }],
    ["UPLOADS_URL", { UPLOADS_URL: "s3://bucket/%zz" }],
    ["REDIS_URL", { REDIS_URL: `redis://${hidden}:%zz@cache` }],
    ["DATABASE_URL", { DATABASE_URL: `postgresql://me:${hidden}@h:99999/x` }],
    ["DATABASE_URL", { DATABASE_URL: `mysql://root:${hidden}@localhost/livery` }],
    [
      "DATABASE_URL",
      { DATABASE_URL: `postgresql://me:${hidden}@one:1,two:99999/x?target_session_attrs=read-write` }
    ],
    ["LIVERY_SECRET", { LIVERY_SECRET: hidden }],
    ["LIVERY_SECRET", { DATABASE_URL: `postgresql://livery:${hidden}@localhost/livery` }],
    ["SMTP_URL", { SMTP_URL: `http://me:${hidden}@mail.example` }],
    ["MAIL_FROM", { MAIL_FROM: "a@b.example\nBcc: everyone@c.example" }],
    ["MAIL_FROM", { MAIL_FROM: "a@b.example, c@d.example" }],
    ["OIDC_ISSUERS", { OIDC_ISSUERS: "https://id.example.com;app,http://id.example.com;app" }],
    ["WEBHOOKS_ALLOW_INSECURE", { WEBHOOKS_ALLOW_INSECURE: "yes" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }]
  ] as const)("%s: %j", async ([setting, settings]) => {
    const directory = join(base, "data")
    const environment = { LIVERY_DATA_DIR: directory, PORT: "0", ...settings }
    const { code, stderr, stdout } = await runCommand(["serve"], { environment })
    assert.strictEqual(code, 2, stderr)
    assert.strictEqual(stdout, "")
    assert.match(stderr, new RegExp(`^${setting} [^\\n]+\\n$`, "u"))
    assert.notInclude(stderr, hidden)
    assert.isFalse(existsSync(join(directory, "postgres", "postmaster.pid")), "no database is left running")
  })

  it("a port that is taken", async () => {
    const environment = { LIVERY_DATA_DIR: join(base, "taken"), PORT: String(port) }
    const { code, stderr, stdout } = await runLivery(["serve"], { environment })
    assert.strictEqual(code, 1, stderr)
    assert.strictEqual(stdout, "")
    assert.match(stderr, new RegExp(`^PORT ${port} [^\\n]+\\n$`, "u"))
    assert.isFalse(existsSync(join(base, "taken", "postgres", "postmaster.pid")))
  })

  it("an unreachable database, without its password", async () => {
    const environment = {
      LIVERY_DATA_DIR: join(base, "away"),
      PORT: "0",
      LIVERY_SECRET: "x".repeat(32),
      DATABASE_URL: `postgresql://livery:${hidden}@127.0.0.1:${port}/livery?connect_timeout=1`
    }
    taken.close()
    const { code, stderr } = await runLivery(["migrate"], { environment })
    assert.strictEqual(code, 1, stderr)
    assert.isNotEmpty(stderr)
    assert.notInclude(stderr, hidden)
  })
})

describe("livery users create, livery migrate", () => {
  let place: Installation
  beforeAll(async () => {
    place = await installation()
  })
  afterAll(() => place.remove())

  const create = (
    email: string,
    password: string,
    more: ReadonlyArray<string> = [],
    run: Installation["run"] = place.command
  ) =>
    run(["users", "create", "--name", "Joan Clarke", "--email", email, ...more], { input: `${password}\n` })

  it("migrates once, and reports an up-to-date database the second time", async () => {
    // Opening the embedded database migrates it; another one was migrated when it was made here.
    const first = await place.run(["migrate"])
    assert.strictEqual(first.code, 0, first.stderr)
    assert.isNotEmpty(first.stdout)
    const second = await place.run(["migrate", "--json"])
    assert.strictEqual(second.code, 0, second.stderr)
    assert.deepStrictEqual(JSON.parse(second.stdout), { applied: [] })
    assert.isUndefined(place.postmaster(), "the last to leave stops the database")
  })

  it("creates an admin who can log in, with an audit entry", async () => {
    const made = await create("joan@cars.example", "bletchley park", [], place.run)
    assert.strictEqual(made.code, 0, made.stderr)
    assert.match(made.stdout, /^Created user \d+: Joan Clarke <joan@cars\.example>, A\n$/u)
    assert.notInclude(made.stdout + made.stderr, "bletchley")
    const server = await place.serve()
    const credentials = { email: "joan@cars.example", password: "bletchley park" }
    assert.strictEqual((await clientOf(server.api).post("/auth/login", credentials)).status, 200)
    assert.strictEqual((await server.stop()).code, 0)
    const audit = await query(place, "select * from audit_log where action = 'user.created'")
    assert.lengthOf(audit, 1)
    assert.include(JSON.stringify(audit), "cli:")
    assert.notInclude(JSON.stringify(audit), "argon2")
  })

  it("prints JSON with --json, and creates a super-admin with --account-type", async () => {
    const made = await create("super@cars.example", "bletchley park", ["--account-type", "S", "--json"])
    assert.strictEqual(made.code, 0, made.stderr)
    const user = JSON.parse(made.stdout) as Readonly<Record<string, unknown>>
    assert.deepInclude(user, { email: "super@cars.example", account_type: "S", name: "Joan Clarke" })
  })

  it.for([
    ["invalid_request: ", "email", "not an address", "bletchley park"],
    ["invalid_request: ", "email", "a@b.example\nBcc: c@d.example", "bletchley park"],
    ["invalid_request: ", "password", "new@cars.example", "short"],
    ["invalid_request: ", "password", "new@cars.example", ""],
    ["email_exists: ", "", "taken@cars.example", "bletchley park"]
  ] as const)("refuses with %s%s: %s", async ([type, field, email, password]) => {
    if (type === "email_exists: ") assert.strictEqual((await create(email.toUpperCase(), password)).code, 0)
    const { code, stderr, stdout } = await create(email, password)
    assert.strictEqual(code, 1, stderr)
    assert.strictEqual(stdout, "")
    assert.match(stderr, new RegExp(`^${type}[^\\n]*${field}[^\\n]*\\n$`, "u"))
    assert.notInclude(stderr, "bletchley")
  })
})

const olderNode = (() => {
  const file = "/usr/bin/node"
  if (!existsSync(file)) return undefined
  const [major] = execFileSync(file, ["--version"], { encoding: "utf8" }).slice(1).split(".")
  return Number(major) >= 18 && Number(major) < 24 ? file : undefined
})()

describe.skipIf(olderNode === undefined)("called by an older Node", () => {
  const options = { node: olderNode ?? "" }

  it("prints and exits as usual", async () => {
    assert.match((await runLivery(["--version"], options)).stdout, /\d+\.\d+\.\d+/u)
    assert.strictEqual((await runLivery(["fly"], options)).code, 2)
  })

  it("serves, and stops with 0 on SIGTERM", async () => {
    const place = await installation()
    try {
      const server = await serverOf(launch(["serve"], { ...options, environment: place.environment }))
      assert.strictEqual((await clientOf(server.address).get("/health/ready")).status, 200)
      assert.deepInclude(await server.stop(), { code: 0, signal: null })
      assert.isUndefined(place.postmaster())
    } finally {
      await place.remove()
    }
  })
})
