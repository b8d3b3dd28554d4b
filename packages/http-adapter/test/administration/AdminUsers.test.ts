import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { business, login, makeDriver, operator, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const administration = Effect.fnUntraced(function* (server: TestServer) {
  const root = yield* superAdmin(server)
  return {
    ...root,
    get: (path: string) => server.send("GET", `/admin${path}`, { credential: root.token }),
    post: (path: string, body: unknown) =>
      server.send("POST", `/admin${path}`, { credential: root.token, body })
  }
})

layer(Ports)("/admin/users and /admin/plans", (it) => {
  it.effect("lists users 20 to a page by search and account type, and reads one without any credential", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const person = yield* business(server)
      assert.deepInclude((yield* admin.get("/users")).body.meta?.pagination, { per_page: 20 })
      const found = records(yield* admin.get(`/users?search=${person.email.toUpperCase()}&account_type=A`))
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [person.userId]
      )
      assert.lengthOf(records(yield* admin.get(`/users?search=${person.email}&account_type=S`)), 0)
      const { created_at, updated_at, ...read } = record(yield* admin.get(`/users/${person.userId}`))
      assert.deepStrictEqual(read, {
        id: person.userId,
        email: person.email,
        name: person.name,
        mobile_phone: null,
        account_type: "A",
        email_verified: true,
        is_driver: false,
        driver_id: null,
        business_ids: [person.businessId]
      })
      assert.isString(created_at)
      assert.isString(updated_at)
      assert.deepStrictEqual(refusedAs(yield* admin.get("/users?account_type=D"), 422, "invalid_request"), [
        { field: "account_type", issue: "unknown_value" }
      ])
      refusedAs(yield* admin.get("/users/999999999"), 404, "not_found")
    })
  )

  it.effect("creates an admin or a super-admin, whose email is verified, and refuses a taken email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const given = { name: "Grace", email: "grace@example.com", password: "correct horse" }
      const made = yield* admin.post("/users", given)
      assert.strictEqual(made.status, 201)
      assert.deepInclude(record(made), { account_type: "A", email_verified: true, business_ids: [] })
      record(yield* login(server, given))
      refusedAs(yield* admin.post("/users", given), 409, "email_exists")
      assert.deepInclude(
        record(yield* admin.post("/users", { ...given, email: "root@example.com", account_type: "S" })),
        { account_type: "S" }
      )
      // A null counts as absent.
      assert.deepInclude(
        record(yield* admin.post("/users", { ...given, email: "ada@example.com", account_type: null })),
        { account_type: "A" }
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* admin.post("/users", { name: "", email: "x", password: "short", account_type: "D" }),
          422,
          "invalid_request"
        ),
        [
          { field: "name", issue: "required" },
          { field: "email", issue: "invalid" },
          { field: "password", issue: "too_short" },
          { field: "account_type", issue: "unknown_value" }
        ]
      )
    })
  )

  it.effect(
    "a password reset ends every session, and its audit entry names the super-admin and no password",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const admin = yield* administration(server)
        const person = yield* operator(server)
        const path = `/users/${person.userId}/password-reset`
        assert.deepStrictEqual(
          refusedAs(yield* admin.post(path, { password: "short" }), 422, "invalid_request"),
          [{ field: "password", issue: "too_short" }]
        )
        record(yield* server.send("GET", "/me", { credential: person.token }))
        const password = "another horse"
        assert.deepStrictEqual(record(yield* admin.post(path, { password })), { reset: true })
        refusedAs(yield* server.send("GET", "/me", { credential: person.token }), 401, "unauthorized")
        refusedAs(yield* login(server, person), 401, "invalid_credentials")
        record(yield* login(server, { email: person.email, password }))
        refusedAs(yield* admin.post("/users/999999999/password-reset", { password }), 404, "not_found")
        const sql = yield* SqlClient.SqlClient
        const entries = yield* sql<Record<string, unknown>>`
        SELECT * FROM audit_log WHERE subject = ${`user:${person.userId}`} AND action = 'user.password_reset'`
        assert.lengthOf(entries, 1)
        assert.strictEqual(entries[0]?.["actor"], `user:${admin.userId}`)
        assert.notInclude(JSON.stringify(entries), "horse")
      })
  )

  it.effect("an assignment holds at once in both directions, and repeating it changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const person = yield* business(server)
      const other = yield* business(server)
      const path = `/users/${person.userId}/business-assignment`
      const ping = server.send("GET", "/ping", { credential: person.token, business: other.businessId })
      const change = (action: string) =>
        Effect.map(admin.post(path, { business_id: other.businessId, action }), record)
      refusedAs(yield* ping, 403, "forbidden")
      const both = [person.businessId, other.businessId].toSorted((one, two) => one - two)
      const result = { user_id: person.userId, business_id: other.businessId }
      for (let time = 0; time < 2; time++)
        assert.deepStrictEqual(yield* change("assign"), { ...result, action: "assign", business_ids: both })
      assert.strictEqual(record(yield* ping)["business_id"], other.businessId)
      for (let time = 0; time < 2; time++)
        assert.deepStrictEqual(yield* change("unassign"), {
          ...result,
          action: "unassign",
          business_ids: [person.businessId]
        })
      refusedAs(yield* ping, 403, "forbidden")
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`
          SELECT action, actor, before, after FROM audit_log
          WHERE subject = ${`user:${person.userId}`} AND action LIKE 'user.%assigned' ORDER BY audit_id`,
        [
          ["user.assigned", [person.businessId], both],
          ["user.unassigned", both, [person.businessId]]
        ].map(([action, before, after]) => ({
          action,
          actor: `user:${admin.userId}`,
          before: { business_ids: before },
          after: { business_ids: after }
        }))
      )
    })
  )

  it.effect("an assignment names what is wrong with it", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const [person, driver] = [yield* business(server), yield* operator(server)]
      yield* makeDriver(driver.userId)
      const assign = (userId: number, body: unknown) =>
        admin.post(`/users/${userId}/business-assignment`, body)
      const { businessId: business_id } = person
      assert.deepStrictEqual(
        refusedAs(
          yield* assign(person.userId, { business_id: "x", action: "own" }),
          422,
          "invalid_request"
        )?.map(({ field }) => field),
        ["business_id", "action"]
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* assign(person.userId, { business_id: 999_999_999, action: "own" }),
          422,
          "invalid_request"
        ),
        [
          { field: "business_id", issue: "not_found" },
          { field: "action", issue: "unknown_value" }
        ]
      )
      assert.deepStrictEqual(
        refusedAs(
          yield* assign(person.userId, { business_id: 999_999_999, action: "assign" }),
          422,
          "invalid_request"
        ),
        [{ field: "business_id", issue: "not_found" }]
      )
      refusedAs(yield* assign(driver.userId, { business_id, action: "assign" }), 409, "conflict")
      refusedAs(yield* assign(999_999_999, { business_id, action: "assign" }), 404, "not_found")
    })
  )

  it.effect("lists the offered plans, and the others on request", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO plans (plan_id, code, name, cars, drivers, invoices, seat_minor, currency, active)
        VALUES (4, 'old', 'Old', 5, 5, 5, NULL, 'USD', false)`
      const codes = (answer: Parameters<typeof records>[0]) => records(answer).map(({ code }) => code)
      assert.deepStrictEqual(codes(yield* admin.get("/plans")), ["free", "pro", "fleet"])
      assert.deepStrictEqual(codes(yield* admin.get("/plans?include_inactive=true")), [
        "free",
        "pro",
        "fleet",
        "old"
      ])
      assert.deepStrictEqual(record(yield* admin.get("/plans/2")), {
        plan_id: 2,
        code: "pro",
        name: "Pro",
        cars: 20,
        drivers: 10,
        invoices: 500,
        seat_price: 15,
        currency: "USD",
        active: true
      })
      for (const id of ["99", "9999999999", "x"])
        refusedAs(yield* admin.get(`/plans/${id}`), 404, "not_found")
    })
  )
})
