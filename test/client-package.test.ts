import { spawnSync } from "node:child_process"
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { fixedPort } from "./support/FixedPort.ts"

const root = join(import.meta.dirname, "..")
const modules = join(root, "node_modules")

/** The compilers; the older ones and Bun are installed by `npm ci --ignore-scripts --prefix test/compilers`, which CI does. */
const compilers = [
  join(modules, "typescript"),
  ...["typescript-5", "typescript-6"].map((name) => join(root, "test/compilers/node_modules", name))
]
/** A Node of version 20 in the path, the oldest that the client supports. */
const oldestNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "node"))
  .find((file) => (spawnSync(file, ["--version"], { encoding: "utf8" }).stdout ?? "").startsWith("v20."))

const [bun] = globSync("node_modules/@oven/*/bin/bun{,.exe}", { cwd: join(root, "test/compilers") })

/** A program of a user, outside of the workspace. Its argument is the address of a server. */
const program = `
import { type Livery, livery, LiveryError, type Trip, type TripsCreateInput, verifyWebhook } from "@livery/client"

const client: Livery = livery({ baseUrl: "http://127.0.0.1:9/api/v1", apiKey: "lvk_1", retries: 0 })

export const book = async (input: TripsCreateInput): Promise<Trip> => {
  const { data, headers } = await client.trips.create(input, { idempotencyKey: "order 1" }).withResponse()
  console.log(headers.get("x-request-id"))
  return client.trips.update({ id: data.trip_id, notes: null }, { ifMatch: data })
}
export const references = async (): Promise<string[]> => {
  const found: string[] = []
  for await (const trip of client.trips.list({ status: "pending" })) found.push(trip.reference)
  return found
}
export const follow = async (id: number, signal: AbortSignal) => {
  for await (const { data, event } of client.tracking.follow({ id }, { signal }))
    if (event === "position") console.log(data.position?.lat.toFixed(3))
}
export const receive = async (header: string, body: string) => {
  const event = await verifyWebhook(header, body, "whsec_1")
  if (event.type === "trip.created") return event.data.pickup_address
  // @ts-expect-error The data of an event has no field of another type's record.
  return event.type === "invoice.paid" ? event.data.pickup_address : ""
}
// @ts-expect-error A trip needs a customer.
export const anonymous = () => book({ trip_date: "2031-05-04T09:30:00Z", pickup_address: "A", dropoff_address: "B" })
// @ts-expect-error An id is a number.
export const byText = () => client.trips.read({ id: "1" })
// @ts-expect-error No trip has this status.
export const misspelled = () => client.trips.list({ status: "canceled" })

client.business.ping().catch((error: unknown) => {
  if (!(error instanceof LiveryError)) throw error
  if (error.type === "invalid_request") console.log(error.details?.[0]?.field)
  if (error.type === "plan_limit_exceeded") console.log(error.details?.[0]?.limit)
  console.log(error.type)
})
`

/** A program that is both server and client. */
const bunProgram = `
import { livery, LiveryError, verifyWebhook } from "@livery/client"

const meta = { request_id: "req_1" }
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (request.headers.get("authorization") !== "Bearer lvk_1") return new Response("", { status: 500 })
    if (request.method === "POST")
      return Response.json(
        { error: { type: "invalid_request", message: "", details: [{ field: "trip_date", issue: "required" }] }, meta },
        { status: 422 }
      )
    if (pathname.endsWith("/stream"))
      return new Response('event: position\\ndata: {"driver_status":"en_route"}\\n\\n', {
        headers: { "content-type": "text/event-stream" }
      })
    const page = Number(searchParams.get("page") ?? 1)
    const pagination = { page, per_page: 1, count: 1, has_more: page < 2 }
    return Response.json({ data: [{ reference: "TR-" + page }], meta: { ...meta, pagination } })
  }
})
const client = livery({ baseUrl: "http://127.0.0.1:" + server.port + "/api/v1", apiKey: "lvk_1" })
const seen = []
for await (const { reference } of client.trips.list()) seen.push(reference)
for await (const { data } of client.tracking.follow({ id: 1 })) {
  seen.push(data.driver_status)
  break
}
await client.trips.create({}).catch((error) => seen.push(error.type, error.details[0].field, error instanceof LiveryError))
console.log(seen.join(" "))
await server.stop(true)
`

const options = (more: object) => ({
  compilerOptions: {
    target: "ES2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    outDir: "out",
    rootDir: ".",
    ...more
  },
  files: ["program.ts"]
})

describe("the packed client", () => {
  let folder: string
  const run = (command: string, ...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(command, args, { cwd: folder, encoding: "utf8" })
    assert.strictEqual(status, 0, `${stdout}${stderr}`)
    return stdout
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "livery-client-"))
    run("npm", "pack", "--ignore-scripts", join(root, "packages/client"))
    const [packed = ""] = readdirSync(folder)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
    run("npm", "install", "--offline", "--no-audit", "--no-fund", `./${packed}`)
    mkdirSync(join(folder, "node_modules/@types"))
    for (const name of ["@types/node", "undici-types"])
      symlinkSync(join(modules, name), join(folder, "node_modules", name))
    writeFileSync(join(folder, "program.ts"), program)
    const node = options({ module: "nodenext", lib: ["ES2022"], types: ["node"] })
    writeFileSync(join(folder, "tsconfig.node.json"), JSON.stringify(node))
    const lib = ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"]
    const browser = options({ module: "esnext", moduleResolution: "bundler", lib, types: [] })
    writeFileSync(join(folder, "tsconfig.browser.json"), JSON.stringify(browser))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.for(compilers.filter((compiler) => existsSync(compiler)))(
    "compiles with the compiler in %s, for Node and for browsers, with the library checked",
    (compiler) => {
      for (const kind of ["node", "browser"])
        assert.strictEqual(
          run(process.execPath, join(compiler, "bin/tsc"), "--project", `tsconfig.${kind}.json`),
          ""
        )
    }
  )

  it("runs in Node, in version 20 too: a server that is not there is unreachable", async () => {
    const file = join(folder, "program.ts")
    writeFileSync(file, program.replace(":9/", `:${await fixedPort()}/`))
    run(process.execPath, join(modules, "typescript/bin/tsc"), "--project", "tsconfig.node.json")
    for (const node of [process.execPath, oldestNode ?? process.execPath])
      assert.strictEqual(run(node, join(folder, "out/program.js")), "unreachable\n")
  })

  it.skipIf(bun === undefined)("runs in Bun: it reads the pages of a list, and a stream of events", () => {
    writeFileSync(join(folder, "bun.ts"), bunProgram)
    assert.strictEqual(
      run(join(root, "test/compilers", bun ?? ""), "bun.ts"),
      "TR-1 TR-2 en_route invalid_request trip_date true\n"
    )
  })

  it("has at most 7 kB of gzip for a page, with the table of operations", async () => {
    const bundle = await rolldown({ input: join(folder, "node_modules/@livery/client/dist/index.js") })
    const { output } = await bundle.generate({ minify: true })
    await bundle.close()
    assert.isAtMost(gzipSync(output[0].code, { level: 9 }).length, 7 * 1024)
  })
})
