import { execFile, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { executable } from "./support/Program.ts"
import type { Server } from "./support/Server.ts"

// Several of these tests start two servers with a database each.
vi.setConfig({ testTimeout: 120_000 })

const root = join(import.meta.dirname, "..")

interface Demo {
  readonly business_id: number
  readonly api_key: string
  readonly added: { readonly cars: number; readonly drivers: number; readonly trips: number }
}

interface Key {
  readonly business_id: number
  readonly api_key: string
}

const list = async (api: string, key: string, path: string) => {
  const { body, status, text } = await clientOf(api, bearer(key)).get<ReadonlyArray<object>>(path)
  assert.strictEqual(status, 200, text)
  return body.data
}

describe("a lost key of the demonstration business", () => {
  let place: Installation
  let server: Server
  beforeAll(async () => {
    place = await installation({ embedded: "absent" })
    server = await place.serve()
  })
  afterAll(() => place.remove())

  it("is replaced by `livery keys create`, beside the running server", async () => {
    const { code, stderr, stdout } = await place.run(["keys", "create"])
    assert.strictEqual(code, 0, stderr)
    const key = /lvk_\S+/u.exec(stdout)?.[0] ?? ""
    assert.notInclude(server.program.stdout(), key)
    assert.deepStrictEqual(await list(server.api, key, "/trips"), [])
  })

  it("is replaced by `livery demo`, which adds drivers, cars and a day of trips, once", async () => {
    const run = async () => {
      const { code, stderr, stdout } = await place.command(["demo", "--json"])
      assert.strictEqual(code, 0, stderr)
      return JSON.parse(stdout) as Demo
    }
    const first = await run()
    assert.deepStrictEqual(first.added, { cars: 2, drivers: 2, trips: 8 })
    for (const [path, count] of [
      ["/drivers", 2],
      ["/cars", 2],
      ["/trips", 8]
    ] as const)
      assert.lengthOf(await list(server.api, first.api_key, path), count)
    const second = await run()
    assert.strictEqual(second.business_id, first.business_id)
    assert.notStrictEqual(second.api_key, first.api_key)
    // At midnight, another day may have begun.
    assert.include([0, 8], second.added.trips)
    assert.deepStrictEqual([second.added.cars, second.added.drivers], [0, 0])
    assert.lengthOf(await list(server.api, second.api_key, "/drivers"), 2)
  })

  it("is created for the business of another admin, or for none if the address is unknown", async () => {
    const registration = {
      name: "Grace Hopper",
      email: "grace@hopper-cars.example",
      password: "a quiet long password",
      business_name: "Hopper Cars"
    }
    const registered = await clientOf(server.api).post<Key>("/auth/register", registration)
    assert.strictEqual(registered.status, 201)
    const made = await place.command(["keys", "create", "--email", "Grace@Hopper-Cars.example", "--json"])
    assert.strictEqual(made.code, 0, made.stderr)
    const key = JSON.parse(made.stdout) as Key
    assert.strictEqual(key.business_id, registered.body.data.business_id)
    assert.deepStrictEqual(await list(server.api, key.api_key, "/trips"), [])
    for (const args of [
      ["--email", "nobody@example.com"],
      ["--email", registration.email, "--business", "999"]
    ]) {
      const { code, stderr } = await place.command(["keys", "create", ...args])
      assert.strictEqual(code, 1)
      assert.match(stderr, /^not_found: No such (?:user|business)\n$/u)
    }
  })
})

describe("`livery demo`", () => {
  it("creates the demonstration business on a database without users", async () => {
    const place = await installation()
    try {
      const { code, stderr, stdout } = await place.run(["demo"])
      assert.strictEqual(code, 0, stderr)
      assert.match(
        stdout,
        /^Demonstration Cars \(business \d+\) has a new API key, shown only now:\n\n {2}lvk_\S+\n/u
      )
      assert.include(stdout, "Added: 2 drivers, 2 cars and 8 trips of today.")
    } finally {
      await place.remove()
    }
  })
})

describe("the log", () => {
  it("is text on a terminal and JSON elsewhere", async () => {
    const place = await installation({ embedded: "copied", settings: { LOG_LEVEL: "debug" } })
    try {
      const server = await place.serve()
      await clientOf(server.api).get("/trips")
      await server.stop()
      const lines = server.program.stderr().trim().split("\n")
      assert.isNotEmpty(lines)
      for (const line of lines) assert.isString((JSON.parse(line) as { readonly time: unknown }).time)

      // `script` gives the command a terminal.
      const { TERM = "dumb", PATH = "" } = process.env
      const terminal = spawn("script", ["-qec", `'${process.execPath}' '${executable}' serve`, "/dev/null"], {
        env: { ...place.environment, PATH, TERM },
        stdio: ["ignore", "pipe", "ignore"]
      })
      let shown = ""
      terminal.stdout.setEncoding("utf8")
      terminal.stdout.on("data", (text: string) => {
        shown += text
      })
      const ended = new Promise((resolve) => terminal.once("close", resolve))
      const waitFor = (pattern: RegExp) =>
        vi.waitUntil(() => pattern.exec(shown), { timeout: 60_000, interval: 10 })
      try {
        const [, address = ""] = await waitFor(/API +(http:\S+)/u)
        await clientOf(address).get("/trips")
        await waitFor(/\d\d:\d\d:\d\d\S* \S*INFO .*request.*method=GET path=\/api\/v1\/trips status=401/u)
      } finally {
        terminal.kill("SIGTERM")
        await ended
      }
      assert.notInclude(shown, '{"time":')
    } finally {
      await place.remove()
    }
  })
})

describe("an older Node that runs npm", () => {
  const said = (version: string) =>
    promisify(execFile)(process.execPath, [join(root, "scripts/nodeVersion.ts")], {
      env: { npm_config_user_agent: `npm/10.8.2 node/${version} linux x64 workspaces/false` }
    })

  it.for(["v20.19.0", "v22.12.0", "v23.1.0"])("%s gets one sentence", async (version) => {
    const { stderr, stdout } = await said(version)
    assert.strictEqual(stderr, "")
    assert.match(
      stdout,
      new RegExp(`^npm runs on Node ${version}; Livery runs on the Node v\\S+ that .*\\n$`, "u")
    )
  })

  it.for(["v18.20.8", "v20.18.3", "v22.11.0"])("%s is refused in one sentence", async (version) => {
    const { stderr } = await said(version).then(
      () => assert.fail("it was not refused"),
      (refusal: { readonly stderr: string }) => refusal
    )
    assert.match(
      stderr,
      new RegExp(`^npm runs on Node ${version}, which is too old to install Livery: .*\\n$`, "u")
    )
  })

  it("gets no sentence if it is Node 24 or later, and no warning of npm about a dependency", async () => {
    assert.deepStrictEqual(await said("v24.1.0"), { stdout: "", stderr: "" })
    assert.match(await readFile(join(root, ".npmrc"), "utf8"), /^loglevel=error$/mu)
  })
})
