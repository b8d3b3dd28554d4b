import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

describe("livery api calls the operations of the contract", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  const api = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
    place.run(["api", ...args], {
      settings: {
        LIVERY_URL: server.address,
        LIVERY_API_KEY: account.apiKey,
        ...environment
      }
    })
  const trip = {
    "--trip-date": "2031-05-04T09:30:00Z",
    "--pickup-address": "Airport, Terminal 1",
    "--dropoff-address": "Grand Hotel",
    "--customer-name": "Ada Lovelace",
    "--total-amount": "129.5",
    "--notes": "42",
    "--child-seats": '[{"type":"booster","count":1}]'
  }

  it("flags of fields are the body: texts as they are, numbers as numbers, lists as JSON", async () => {
    const made = await api(["trips", "create", ...Object.entries(trip).flat()])
    assert.strictEqual(made.code, 0, made.stderr)
    const record = JSON.parse(made.stdout) as Record<string, unknown>
    assert.strictEqual(record["total_amount"], 129.5)
    assert.strictEqual(record["notes"], "42")
    assert.deepStrictEqual(record["child_seats"], [{ type: "booster", count: 1 }])
    const read = await api(["trips", "read", String(record["trip_id"])])
    assert.strictEqual((JSON.parse(read.stdout) as Record<string, unknown>)["reference"], record["reference"])
  })

  it("a command that is repeated with its --idempotency-key books once", async () => {
    const book = ["trips", "create", ...Object.entries(trip).flat(), "--idempotency-key", "booking-7"]
    const made = await api(book)
    assert.strictEqual(made.code, 0, made.stderr)
    const repeated = await api(book)
    assert.strictEqual(repeated.stdout, made.stdout)
  })

  it("a list is printed with its pagination, and its filters are flags", async () => {
    const listed = await api(["trips", "list", "--status", "cancelled"])
    const { data, pagination } = JSON.parse(listed.stdout) as {
      readonly data: unknown
      readonly pagination: object
    }
    assert.deepStrictEqual(data, [])
    assert.include(pagination, { page: 1, has_more: false })
  })

  it("flags of fields complete the body of --data", async () => {
    const made = await api([
      "customers",
      "create",
      "--data",
      '{"name":"Old","company":"Analytical Engines"}',
      "--name",
      "New"
    ])
    assert.strictEqual(made.code, 0, made.stderr)
    assert.include(JSON.parse(made.stdout) as object, { name: "New", company: "Analytical Engines" })
  })

  it("a refused request exits 1 with the type and every wrong field", async () => {
    const refused = await api(["trips", "create", "--total-amount", "much"])
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.match(refused.stderr, /^invalid_request: [^\n]*trip_date required[^\n]*total_amount invalid/u)
  })

  it.for([
    [
      ["trips", "create", "--child-seats", "two"],
      /^--child-seats is not JSON\. See: livery api trips create --help\n$/u
    ],
    [
      ["trips", "create", "--data", "[]"],
      /^--data is not a JSON object\. See: livery api trips create --help\n$/u
    ],
    [["trips", "read"], /^[^\n]*id[^\n]*See: livery api trips read --help\n$/iu],
    [["trips", "create", "--colour", "red"], /^[^\n]*colour[^\n]*\n$/u]
  ] as const)("a wrong command line exits 2 with one line: %j", async ([args, line]) => {
    const wrong = await api(args)
    assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    assert.match(wrong.stderr, line)
  })

  it("an operation for users needs a sign-in, also with an API key", async () => {
    const refused = await api(["me", "read"], { XDG_CONFIG_HOME: place.directory })
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /^unauthenticated: Sign in first: livery login/u)
  })
})
