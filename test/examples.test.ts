import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { trip } from "./support/Account.ts"
import { fixedPort } from "./support/FixedPort.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

const root = join(import.meta.dirname, "..")
const fileOf = (name: string) => join(root, "examples", name)

/** Runs an example to its end, and returns its output. */
const outputOf = async (
  name: string,
  args: ReadonlyArray<string> = [],
  settings: Readonly<Record<string, string>> = {}
) => {
  const { stdout } = await promisify(execFile)(process.execPath, [fileOf(name), ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...settings }
  })
  return stdout
}

const failureOf = (output: Promise<string>) => output.then(String, (error: Error) => error.message)

describe("the examples", () => {
  let place: Installation
  let server: Server
  let businessId: number
  let apiKey: string
  beforeAll(async () => {
    place = await installation()
    // The programs and the commands join the database of the server.
    server = await place.serve(["--only", "api"])
    const made = JSON.parse((await place.command(["demo", "--json"])).stdout)
    businessId = made.business_id
    apiKey = made.api_key
  })
  afterAll(() => place.remove())

  it("are all named in their README", () => {
    const readme = readFileSync(fileOf("README.md"), "utf8")
    for (const name of globSync("*.{ts,py,go,html}", { cwd: join(root, "examples") }))
      assert.include(readme, `[${name}](${name})`)
  })

  it("the program in the README of the client runs, and prints the field that is wrong", async () => {
    const readme = readFileSync(join(root, "packages/client/README.md"), "utf8")
    const [, program = ""] = /```ts\n(.*?)```/su.exec(readme) ?? []
    const directory = mkdtempSync(join(root, "packages/client/.livery-readme-"))
    try {
      writeFileSync(
        join(directory, "program.ts"),
        program.replace("https://livery.example/api/v1", server.api).replace(/ \/\/ .*/u, "")
      )
      const { stdout } = await promisify(execFile)(process.execPath, [join(directory, "program.ts")], {
        env: { LIVERY_API_KEY: apiKey }
      })
      assert.match(stdout, /^TR-[0-9A-Z]{7} confirmed$/mu)
      assert.include(stdout, "{ field: 'total_amount', issue: 'out_of_range' }")
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })

  it("book a trip in memory", async () => {
    const output = await outputOf("book-in-memory.ts")
    assert.match(output, /TR-[0-9A-Z]{7} is confirmed; it may become completed, cancelled/u)
    assert.include(output, "trip.created was recorded")
  })

  it("follow the events of a business, and print the trip that another program books", async () => {
    const following = spawn(process.execPath, [fileOf("follow-events.ts"), String(businessId)], {
      cwd: root,
      env: { PATH: process.env["PATH"], ...place.environment }
    })
    let output = ""
    following.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    try {
      await vi.waitUntil(() => output.includes("Following from"), { timeout: 20_000 })
      const [reference] = /TR-[0-9A-Z]{7}/u.exec(
        await outputOf("book.ts", [String(businessId)], place.environment)
      ) ?? ["none"]
      await vi.waitFor(() => assert.include(output, `trip.created: ${reference}`), { timeout: 10_000 })
    } finally {
      following.kill("SIGKILL")
      await once(following, "exit")
    }
  })

  it("book the orders of an office once each, and print the events of the business", async () => {
    const port = await fixedPort()
    const office = spawn(process.execPath, [fileOf("office.ts")], {
      cwd: root,
      env: {
        PATH: process.env["PATH"],
        LIVERY_URL: server.api,
        LIVERY_API_KEY: apiKey,
        PORT: String(port)
      }
    })
    let output = ""
    office.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    const order = async (number: string, input: object) => {
      const body = JSON.stringify({ number, trip: input })
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body })
      return [response.status, await response.json()]
    }
    try {
      await vi.waitUntil(() => output.includes("Following from"), { timeout: 20_000 })
      const refused = await order("4710", { ...trip(), trip_date: "tomorrow" })
      assert.deepStrictEqual(refused, [422, { wrong: [{ field: "trip_date", issue: "invalid" }] }])
      const [status, booked] = await order("4711", trip())
      assert.strictEqual(status, 201)
      assert.deepStrictEqual(await order("4711", trip()), [201, booked])
      await vi.waitFor(() => assert.match(output, /^trip\.created evt_/mu), { timeout: 10_000 })
    } finally {
      office.kill("SIGKILL")
      await once(office, "exit")
    }
  })

  it("act on PostgreSQL for an active business only", async () => {
    const booked = (id: number) => outputOf("book.ts", [String(id)], place.environment)
    await place.command(["businesses", "update", String(businessId), "--currency", "EUR"])
    const [book, upload, absent] = await Promise.all([
      booked(businessId),
      outputOf("own-adapter.ts", [String(businessId), join(root, "docs/invoice.png")], place.environment),
      failureOf(booked(businessId + 1))
    ])
    assert.match(book, /TR-[0-9A-Z]{7} of .*: 129\.5 EUR/u)
    assert.match(upload, /image\/png of \d+ bytes/u)
    assert.isFalse(existsSync(join(place.directory, "uploads")))
    assert.include(absent, "NotFound")
    const suspended = await place.command(["businesses", "suspend", String(businessId), "--yes"])
    assert.strictEqual(suspended.code, 0, suspended.stderr)
    assert.include(await failureOf(booked(businessId)), "This business is suspended")
  })
})
