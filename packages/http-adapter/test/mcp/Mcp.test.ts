import { BusinessId, type CallerRole, mayDo, Role } from "@livery/domain"
import { listOf, objectOf, textOf } from "@livery/contract"
import { assert, describe, it as plainly, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { newDriver, newTrip } from "../../../../test/contract/Given.ts"
import { glossary } from "../../src/mcp/Glossary.ts"
import { changes, toolOperations } from "../../src/mcp/ToolOperations.ts"
import { business, memberOf, superAdmin } from "../support/People.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { mcpCaller } from "./McpCaller.ts"

const booking = {
  pickup_address: "Airport",
  dropoff_address: "Grand Hotel",
  customer_name: "Ada Lovelace",
  trip_date: "2031-05-04T09:30:00Z"
}

describe("the tools of the MCP server", () => {
  plainly("each has its own name and purpose, and an operation in an area of the access table", () => {
    assert.strictEqual(new Set(toolOperations().map(({ name }) => name)).size, toolOperations().length)
    for (const { inputSchema, name, permission, purpose } of toolOperations()) {
      assert.match(name, /^[a-z_]+$/u)
      assert.match(purpose, /\.$/u, name)
      assert.isDefined(permission, name)
      assert.notInclude(JSON.stringify(inputSchema), "$ref", name)
    }
  })

  plainly("the glossary is that of the documents", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/glossary.md"), "utf8")
    for (const [word, meaning] of Object.entries(glossary))
      assert.include(page.replaceAll(/ +/gu, " "), `| ${word} | ${meaning} |`)
  })
})

layer(PortsInMemory)("the MCP server", (it) => {
  it.effect(
    "refuses a message that names a field twice or is nested too deep, as the routes of the API do",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { key } = yield* business(server)
        const send = (text: string) =>
          Effect.map(server.sendTo("POST", "/mcp", { credential: key, text }), ({ status }) => status)
        const call = '"jsonrpc":"2.0","id":1,"method":"tools/list"'
        assert.strictEqual(yield* send(`{${call}}`), 200)
        for (const body of [
          `{${call},"method":"tools/list"}`,
          `{${call},"params":{"name":"a","name":"b"}}`,
          `{${call},"params":${'{"a":'.repeat(20_001)}1${"}".repeat(20_001)}}`,
          "[]",
          "{",
          ""
        ])
          assert.strictEqual(yield* send(body), 400, body.slice(0, 80))
      })
  )

  it.effect("lists for each role the tools whose operations the access table permits", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const owner = yield* business(server)
      const namesFor = (role: CallerRole) =>
        toolOperations()
          .filter(({ permission }) => permission !== undefined && mayDo(role, permission))
          .map(({ name }) => name)
      const listed = (credential: string) =>
        Effect.map(mcpCaller(server, credential, owner.businessId).tools, (tools) =>
          tools.map(({ name }) => textOf(name))
        )
      assert.deepStrictEqual(yield* listed(owner.key), namesFor("api_key"))
      for (const role of Role.literals) {
        const token = yield* memberOf(server, owner.businessId, role)
        assert.deepStrictEqual(yield* listed(token), namesFor(role), role)
      }
      assert.isBelow(namesFor("viewer").length, namesFor("owner").length)
    })
  )

  it.effect("has a tool that answers for every operation that reads", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { call, confirm } = mcpCaller(server, key)
      const driver = record(
        yield* server.send("POST", "/drivers", { credential: key, body: { name: "Joan" } })
      )
      const endpoint = record(
        yield* server.send("POST", "/webhooks", {
          credential: key,
          body: { url: "https://example.com/hooks", events: ["trip.created"] }
        })
      )
      const { record: customer } = yield* confirm("add_customer", { name: "Ada", email: "ada@example.com" })
      const { record: trip } = yield* confirm("book_trip", booking)
      const items = [{ description: "Transfer", quantity: 1, unit_price: 90 }]
      const { record: invoice } = yield* confirm("create_invoice", {
        customer_id: customer["customer_id"],
        items
      })
      const ids: Readonly<Record<string, unknown>> = {
        customers: customer["customer_id"],
        drivers: driver["driver_id"],
        invoices: invoice["invoice_id"],
        trips: trip["trip_id"],
        webhooks: endpoint["endpoint_id"]
      }
      const others: Readonly<Record<string, object>> = {
        driver_times: { date_from: "2031-05-04", date_to: "2031-05-05" },
        estimate_fare: { trip_date: "2031-05-04T09:30:00Z", distance_m: 12_000 },
        free_drivers: { from: "2031-05-04T09:00:00Z", to: "2031-05-04T10:00:00Z" }
      }
      yield* server.send("POST", "/tariffs", {
        credential: key,
        body: { name: "City", currency: "USD", classes: [{ vehicle_class: "van", distance: [{ base: 60 }] }] }
      })
      for (const tool of toolOperations().filter((one) => !changes(one))) {
        const [group = ""] = tool.operation.split(".")
        const answer = yield* call(tool.name, {
          ...(listOf(tool.inputSchema["required"]).includes("id") ? { id: ids[group] } : {}),
          ...others[tool.name]
        })
        assert.isFalse(answer.isError, `${tool.name}: ${JSON.stringify(answer.data)}`)
      }
    })
  )

  it.effect("changes nothing without the token of a preview of this very call", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [acme, other] = [yield* business(server), yield* business(server)]
      const { call } = mcpCaller(server, acme.key)
      const trips = Effect.map(server.send("GET", "/trips", { credential: acme.key }), records)
      const { data } = yield* call("book_trip", booking)
      const token = textOf(data["confirmation_token"])
      assert.lengthOf(yield* trips, 0)
      for (const [caller, args] of [
        [acme.key, { ...booking, customer_name: "Eve", confirmation_token: token }],
        [acme.key, { ...booking, confirmation_token: `${token}x` }],
        [other.key, { ...booking, confirmation_token: token }]
      ] as const)
        assert.isTrue((yield* mcpCaller(server, caller).call("book_trip", args)).isError)
      assert.lengthOf(yield* trips, 0)
      yield* call("book_trip", { ...booking, confirmation_token: token })
      yield* call("book_trip", { ...booking, confirmation_token: token })
      assert.lengthOf(yield* trips, 1)
      const late = yield* call("book_trip", { ...booking, customer_name: "Late" })
      yield* TestClock.adjust("11 minutes")
      const again = { ...booking, customer_name: "Late", confirmation_token: late.data["confirmation_token"] }
      assert.strictEqual((yield* call("book_trip", again)).data["type"], "confirmation_required")
    })
  )

  it.effect("names every wrong field in place of a preview, and warns of a driver who is not free", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { call, confirm } = mcpCaller(server, key)
      const wrong = yield* call("book_trip", { pickup_address: "Airport", customer_name: "Ada" })
      assert.isTrue(wrong.isError)
      assert.sameDeepMembers(
        [...listOf(wrong.data["details"])],
        [
          { field: "trip_date", issue: "required" },
          { field: "dropoff_address", issue: "required" }
        ]
      )
      assert.strictEqual((yield* call("change_trip", { id: 999_999, notes: "x" })).data["type"], "not_found")
      const driver = record(
        yield* server.send("POST", "/drivers", { credential: key, body: { name: "Joan" } })
      )
      const ids = [driver["driver_id"]]
      const { record: first } = yield* confirm("book_trip", booking)
      yield* confirm("assign_drivers", { id: first["trip_id"], driver_ids: ids })
      const { record: second } = yield* confirm("book_trip", { ...booking, customer_name: "Grace" })
      const preview = yield* call("assign_drivers", { id: second["trip_id"], driver_ids: ids })
      assert.lengthOf(listOf(preview.data["warnings"]), 1)
    })
  )

  it.effect("warns of drivers whom `assignments` name, at the time of the trip, whatever time is named", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, key } = yield* business(server)
      const { call, confirm } = mcpCaller(server, key)
      const driver_id = yield* newDriver(BusinessId.make(businessId))
      const named = [{ driver_ids: [driver_id] }, { assignments: [{ driver_id }] }]
      const { record: trip } = yield* confirm("book_trip", booking)
      const warningsOf = (args: object) =>
        Effect.map(call("assign_drivers", { id: trip["trip_id"], ...args }), ({ data, isError }) => {
          assert.isFalse(isError, JSON.stringify(data))
          return listOf(data["warnings"]).length
        })
      for (const drivers of named) assert.strictEqual(yield* warningsOf(drivers), 0)
      const { record: other } = yield* confirm("book_trip", { ...booking, customer_name: "Grace" })
      yield* confirm("assign_drivers", { id: other["trip_id"], ...named[1] })
      for (const drivers of named)
        for (const ignored of [{}, { trip_date: "2031-05-06T09:30" }, { duration_minutes: "x" }])
          assert.strictEqual(yield* warningsOf({ ...drivers, ...ignored }), 1, JSON.stringify(ignored))
      const root = yield* superAdmin(server)
      const listed = yield* server.send("GET", "/admin/audit?action=mcp.tool_called&per_page=100", {
        credential: root.token
      })
      const calls = records(listed).filter(
        ({ business_id, subject }) => business_id === businessId && subject === "tool:assign_drivers"
      )
      assert.lengthOf(calls, 10)
    })
  )

  it.effect("refuses an id that would lead to another path", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { call } = mcpCaller(server, key)
      for (const id of ["..", ".", "", "1/../2", { a: 1 }])
        for (const tool of ["customer_trips", "read_trip", "change_trip"]) {
          const { data, isError } = yield* call(tool, { id })
          assert.isTrue(isError, `${tool} ${JSON.stringify(id)}`)
          assert.deepStrictEqual(data["details"], [{ field: "id", issue: "invalid" }])
        }
      assert.deepStrictEqual((yield* call("customer_trips")).data["details"], [
        { field: "id", issue: "required" }
      ])
    })
  )

  it.effect(
    "reads all pages of the late trips and of the free drivers, 20 at most, and says so if there are more",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, key } = yield* business(server)
        const { call, confirm } = mcpCaller(server, key)
        const { record: trip } = yield* confirm("book_trip", booking)
        const drivers = yield* Effect.replicateEffect(newDriver(BusinessId.make(businessId)), 120)
        const warnings = Effect.map(
          call("assign_drivers", { id: trip["trip_id"], driver_ids: drivers.slice(-1) }),
          ({ data }) => listOf(data["warnings"]).map(textOf)
        )
        assert.deepStrictEqual(yield* warnings, [])
        const trip_date = yield* DateTime.now
        yield* Effect.replicateEffect(newTrip(BusinessId.make(businessId), { trip_date }), 120)
        yield* TestClock.adjust("1 hour")
        const late = call("late_trips", { date: DateTime.formatIsoDateUtc(trip_date) })
        const { data } = yield* late
        assert.lengthOf(listOf(data["records"]), 120)
        assert.deepStrictEqual(data["pagination"], { count: 120, has_more: false })
        yield* Effect.replicateEffect(newTrip(BusinessId.make(businessId), { trip_date }), 1900)
        const more = (yield* late).data
        assert.lengthOf(listOf(more["records"]), 2000)
        assert.deepStrictEqual(more["pagination"], { count: 2000, has_more: true })
      })
  )

  it.effect("writes each call of a tool into the audit log, without its arguments", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, token, userId } = yield* business(server)
      yield* mcpCaller(server, token).call("find_customers", { search: "Lovelace" })
      const root = yield* superAdmin(server)
      const listed = yield* server.send("GET", "/admin/audit?action=mcp.tool_called", {
        credential: root.token
      })
      const entry = records(listed).find(({ business_id }) => business_id === businessId)
      assert.deepInclude(entry, {
        actor: `user:${userId}`,
        subject: "tool:find_customers",
        after: { status: "200" }
      })
      assert.notInclude(JSON.stringify(entry), "Lovelace")
    })
  )

  it.effect("gives no other business's data, in 1,000 calls", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [acme, other] = [yield* business(server), yield* business(server)]
      const theirs = mcpCaller(server, other.key)
      const secret = "Marked Person"
      yield* theirs.confirm("book_trip", { ...booking, customer_name: secret })
      const { record: person } = yield* theirs.confirm("add_customer", { name: secret })
      const { customer_id } = person
      const items = [{ description: secret, quantity: 1, unit_price: 90 }]
      yield* theirs.confirm("create_invoice", { customer_id, items })
      for (const [path, body] of [
        ["/drivers", { name: secret }],
        ["/cars", { name: secret }]
      ] as const)
        yield* server.send("POST", path, { credential: other.key, body })
      // The owner of the data finds them with the same calls.
      for (const name of ["find_trips", "find_customers", "find_drivers", "find_cars"])
        assert.include(JSON.stringify((yield* theirs.call(name)).data), secret, name)
      const { call } = mcpCaller(server, acme.key)
      const reads = toolOperations().filter((tool) => !changes(tool))
      const writes = toolOperations().filter((tool) => changes(tool))
      let calls = 0
      for (let id = 1; calls < 1000; id += 1)
        for (const tool of id % 5 === 0 ? writes : reads) {
          const query = "search" in objectOf(tool.inputSchema["properties"]) ? { search: secret } : {}
          const { data } = yield* call(tool.name, {
            id: (id % 12) + 1,
            ...(listOf(tool.inputSchema["required"]).includes("id") ? {} : query)
          })
          const { preview, record: read, records: found } = data
          assert.notInclude(JSON.stringify([read, found, objectOf(preview)["current"]]), secret, tool.name)
          calls += 1
        }
    })
  )

  it.effect("has resources, and refuses what is no message, no tool and no credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const { call, request } = mcpCaller(server, key)
      const { result } = yield* request("resources/list")
      for (const resource of listOf(objectOf(result)["resources"])) {
        const read = objectOf(
          (yield* request("resources/read", { uri: objectOf(resource)["uri"] }))["result"]
        )
        const [content] = listOf(read["contents"])
        assert.isNotEmpty(JSON.parse(textOf(objectOf(content)["text"])))
      }
      assert.strictEqual(
        objectOf((yield* request("initialize", { protocolVersion: "1999-01-01" }))["result"])[
          "protocolVersion"
        ],
        "2025-11-25"
      )
      assert.strictEqual(objectOf((yield* request("prompts/list"))["error"])["code"], -32_601)
      assert.isTrue((yield* call("drop_tables")).isError)
      const notification = { jsonrpc: "2.0", method: "notifications/initialized" }
      const sent = yield* server.sendTo("POST", "/mcp", { credential: key, body: notification })
      assert.strictEqual(sent.status, 202)
      assert.strictEqual((yield* server.sendTo("POST", "/mcp", { credential: key, text: "{" })).status, 400)
      assert.strictEqual((yield* server.sendTo("GET", "/mcp", { credential: key })).status, 405)
      const refused = yield* server.sendTo("POST", "/mcp", { credential: "lvk_wrong", body: notification })
      assert.deepStrictEqual([refused.status, refused.body.error?.type], [401, "unauthorized"])
      assert.isNotNull(refused.headers.get("www-authenticate"))
    })
  )
})
