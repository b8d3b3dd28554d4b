import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { business, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"

const sensitive = /secret|token|hash|password|md5/iu

/** The administrative routes, by a super-admin. */
const administration = Effect.fnUntraced(function* (server: TestServer) {
  const root = yield* superAdmin(server)
  return {
    ...root,
    get: (path: string) => server.send("GET", `/admin${path}`, { credential: root.token }),
    post: (path: string, body: unknown) =>
      server.send("POST", `/admin${path}`, { credential: root.token, body }),
    patch: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      server.send("PATCH", `/admin${path}`, { credential: root.token, body, headers })
  }
})

layer(Ports)("/admin/businesses", (it) => {
  it.effect("lists 20 to a page, finds by name, email or slug, and shows no sensitive field", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const one = yield* business(server)
      yield* Effect.forEach(Array.from({ length: 20 }), () => business(server))
      const first = yield* admin.get("/businesses")
      assert.lengthOf(records(first), 20)
      assert.deepInclude(first.body.meta?.pagination, { page: 1, per_page: 20, count: 20, has_more: true })
      for (const search of [
        one.business_name.toUpperCase(),
        one.email,
        one.business_name.replaceAll(" ", "-")
      ]) {
        const found = records(yield* admin.get(`/businesses?search=${encodeURIComponent(search)}`))
        assert.include(
          found.map(({ business_id }) => business_id),
          one.businessId
        )
      }
      const read = record(yield* admin.get(`/businesses/${one.businessId}`))
      assert.deepInclude(read, {
        business_id: one.businessId,
        business_name: one.business_name,
        status: "A",
        allowed_transitions: ["D"],
        email_credits: 0,
        subscription_plan_id: 1,
        subscription_status: "active"
      })
      assert.isFalse(Object.keys(read).some((field) => sensitive.test(field)))
      const settings = {
        country: "CH",
        locale: "de-CH",
        vat_number: "CHE123456788MWST",
        iban: "CH9300762011623852957",
        payment_terms_days: 30,
        dunning: { automatic: true, levels: [{ days: 3 }, { days: 14 }] }
      }
      const profile = record(
        yield* server.send("PATCH", "/settings/business", { credential: one.key, body: settings })
      )
      const full = record(yield* admin.get(`/businesses/${one.businessId}`))
      assert.deepInclude(full, settings)
      for (const [field, value] of Object.entries(profile)) assert.deepStrictEqual(full[field], value, field)
      // Super-admins read these fields, and members change them.
      record(
        yield* admin.patch(`/businesses/${one.businessId}`, { currency: "USD", country: "FR", iban: null })
      )
      assert.deepInclude(record(yield* admin.get(`/businesses/${one.businessId}`)), settings)
      refusedAs(yield* admin.get("/businesses/999999999"), 404, "not_found")
      refusedAs(yield* admin.get("/businesses?status=D"), 422, "invalid_request")
    })
  )

  it.effect("reports the usage beside the plan's limits", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const { businessId, key } = yield* business(server)
      record(yield* server.send("POST", "/cars", { credential: key, body: { name: "Black" } }))
      const usage = record(yield* admin.get(`/businesses/${businessId}/usage`))
      assert.deepInclude(usage, {
        business_id: businessId,
        subscription_status: "active",
        allowances: {
          cars: { limit: 2, used: 1 },
          drivers: { limit: 2, used: 0 },
          invoices_this_month: { limit: 10, used: 0 }
        },
        members: 1,
        api_keys: 1,
        trips: { total: 0, this_month: 0 }
      })
      assert.deepInclude(usage["plan"], { plan_id: 1, code: "free", seat_price: null, currency: "USD" })
      refusedAs(yield* admin.get("/businesses/999999999/usage"), 404, "not_found")
    })
  )

  it.effect("20 concurrent deductions never make the credits negative, and each success is audited", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const { businessId } = yield* business(server)
      const path = `/businesses/${businessId}/credits`
      assert.strictEqual(
        record(yield* admin.post(path, { credits: 7, reason: "Welcome" }))["email_credits"],
        7
      )
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => admin.post(path, { credits: -1, reason: "Test" }),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        7
      )
      for (const answer of answers.filter(({ status }) => status !== 200))
        assert.deepStrictEqual(refusedAs(answer, 422, "invalid_request"), [
          { field: "credits", issue: "out_of_range" }
        ])
      assert.strictEqual(record(yield* admin.get(`/businesses/${businessId}`))["email_credits"], 0)
      const sql = yield* SqlClient.SqlClient
      const entries = yield* sql<Record<string, unknown>>`
        SELECT actor, before, after, reason, request_id FROM audit_log
        WHERE business_id = ${businessId} AND action = 'business.credits_changed' ORDER BY audit_id`
      assert.lengthOf(entries, 8)
      assert.deepInclude(entries[0], {
        actor: `user:${admin.userId}`,
        before: { email_credits: 0 },
        after: { email_credits: 7 },
        reason: "Welcome"
      })
      assert.match(String(entries[0]?.["request_id"]), /^req_[0-9a-f]{24}$/u)
    })
  )

  it.effect("the audit log lists the changes of a business, newest first", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const { businessId } = yield* business(server)
      record(yield* admin.post(`/businesses/${businessId}/credits`, { credits: 2, reason: "Welcome" }))
      const changed = yield* admin.post(`/businesses/${businessId}/suspend`, { action: "suspend" })
      const list = yield* admin.get(`/audit?business_id=${businessId}&actor=user:${admin.userId}`)
      const [{ at, audit_id, ...suspended } = {}, credited] = records(list)
      assert.isString(at)
      assert.isNumber(audit_id)
      assert.deepStrictEqual(suspended, {
        actor: `user:${admin.userId}`,
        action: "business.suspended",
        subject: `business:${businessId}`,
        business_id: businessId,
        before: { status: "A" },
        after: { status: "D" },
        reason: null,
        request_id: changed.body.meta?.request_id
      })
      assert.deepInclude(credited, { action: "business.credits_changed", reason: "Welcome" })
      assert.deepInclude(list.body.meta?.pagination, { per_page: 20, count: 2 })
      for (const query of ["who=anna", "business_id=x", "page=0"])
        refusedAs(yield* admin.get(`/audit?${query}`), 422, "invalid_request")
    })
  )

  it.effect(
    "refuses credits without a reason, that change nothing, are no whole number or exceed the largest balance",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const admin = yield* administration(server)
        const { businessId } = yield* business(server)
        const path = `/businesses/${businessId}/credits`
        for (const credits of [0, 1.5, "7", null, 1e10])
          assert.deepInclude(
            refusedAs(yield* admin.post(path, { credits, reason: "Test" }), 422, "invalid_request")?.[0],
            { field: "credits" },
            String(credits)
          )
        for (const reason of [undefined, null, "  "])
          assert.deepStrictEqual(
            refusedAs(yield* admin.post(path, { credits: 0, reason }), 422, "invalid_request"),
            [
              { field: "credits", issue: "out_of_range" },
              { field: "reason", issue: "required" }
            ]
          )
        record(yield* admin.post(path, { credits: 1_000_000_000, reason: "Test" }))
        refusedAs(yield* admin.post(path, { credits: 1, reason: "Test" }), 422, "invalid_request")
        refusedAs(
          yield* admin.post("/businesses/999999999/credits", { credits: 1, reason: "Test" }),
          404,
          "not_found"
        )
      })
  )

  it.effect(
    "suspends and reactivates: the API refuses the business at once, and the same action again changes nothing",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const admin = yield* administration(server)
        const { businessId, key, token } = yield* business(server)
        const path = `/businesses/${businessId}/suspend`
        const ping = (credential: string) => server.send("GET", "/ping", { credential })
        record(yield* ping(key))
        record(yield* ping(token))
        const suspended = record(yield* admin.post(path, { action: "suspend", reason: "Unpaid" }))
        assert.deepInclude(suspended, { status: "D", allowed_transitions: ["A"] })
        for (const credential of [key, token]) refusedAs(yield* ping(credential), 403, "account_suspended")
        assert.deepStrictEqual(record(yield* admin.post(path, { action: "suspend" })), suspended)
        assert.deepInclude(record(yield* admin.post(path, { action: "activate" })), { status: "A" })
        for (const credential of [key, token]) record(yield* ping(credential))
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(
          yield* sql`
          SELECT action, reason FROM audit_log
          WHERE business_id = ${businessId} AND action IN ('business.suspended', 'business.activated') ORDER BY audit_id`,
          [
            { action: "business.suspended", reason: "Unpaid" },
            { action: "business.activated", reason: null }
          ]
        )
        assert.deepStrictEqual(
          refusedAs(yield* admin.post(path, { action: "delete" }), 422, "invalid_request"),
          [{ field: "action", issue: "unknown_value" }]
        )
        refusedAs(yield* admin.post("/businesses/999999999/suspend", { action: "suspend" }), 404, "not_found")
      })
  )

  it.effect("changes the allowed fields only, names every wrong one, and audits before and after", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const admin = yield* administration(server)
      const [one, other] = [yield* business(server), yield* business(server)]
      const path = `/businesses/${one.businessId}`
      const changed = record(
        yield* admin.patch(path, {
          business_name: "Ada Cars",
          subscription_plan_id: 2,
          subscription_status: "past_due",
          currency: "CHF",
          timezone: "Europe/Zurich",
          status: "D",
          email_credits: 5
        })
      )
      assert.deepInclude(changed, {
        business_name: "Ada Cars",
        subscription_plan_id: 2,
        subscription_status: "past_due",
        currency: "CHF",
        timezone: "Europe/Zurich",
        status: "A",
        email_credits: 0
      })
      const sql = yield* SqlClient.SqlClient
      const [entry] = yield* sql<Record<string, unknown>>`
        SELECT before, after FROM audit_log WHERE business_id = ${one.businessId} AND action = 'business.changed'`
      assert.deepInclude(entry?.["before"], { business_name: one.business_name, currency: "USD" })
      assert.deepInclude(entry?.["after"], { business_name: "Ada Cars", currency: "CHF" })
      assert.deepStrictEqual(
        refusedAs(
          yield* admin.patch(path, {
            business_name: "",
            currency: "XXX1",
            timezone: "Mars",
            subscription_status: "rich",
            subscription_plan_id: 99
          }),
          422,
          "invalid_request"
        ),
        [
          { field: "business_name", issue: "required" },
          { field: "subscription_plan_id", issue: "not_found" },
          { field: "subscription_status", issue: "unknown_value" },
          { field: "currency", issue: "unknown_value" },
          { field: "timezone", issue: "unknown_value" }
        ]
      )
      for (const body of [{}, { status: "D" }])
        refusedAs(yield* admin.patch(path, body), 422, "invalid_request")
      assert.deepStrictEqual(
        refusedAs(yield* admin.patch(path, { subscription_plan_id: 99 }), 422, "invalid_request"),
        [{ field: "subscription_plan_id", issue: "not_found" }]
      )
      const { vendor_slug } = record(yield* admin.get(`/businesses/${other.businessId}`))
      refusedAs(yield* admin.patch(path, { vendor_slug }), 409, "conflict")
      refusedAs(yield* admin.patch(path, { business_name: "X" }, { "If-Match": '"stale"' }), 409, "conflict")
      assert.deepStrictEqual(record(yield* admin.get(path)), changed)
    })
  )
})
