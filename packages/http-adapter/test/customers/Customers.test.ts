import { assert, layer } from "@effect/vitest"
import { canonicalEmail } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, wrong } from "../support/Fleet.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const full = {
  name: "Zoë Müller",
  email: "zoe.muller@example.com",
  phone: "+41 79 123 45 67",
  company: "Acme",
  address: "Bahnhofstrasse 1",
  country: "CH",
  vat_number: "CHE123456788",
  untaxed_as: "exempt",
  untaxed_reason: "Art. 151",
  language: "de-CH",
  buyer_reference: "04011000-12345-35",
  payment_terms_days: 10,
  account_number: "10042",
  external_ref: "X-1",
  notes: "Prefers still water"
}

layer(Ports)("customers", (it) => {
  it.effect("prefer and refuse drivers of the business; an assignment of a refused one warns", () =>
    Effect.gen(function* () {
      const { customer, driver, send, trip } = yield* company(yield* openServer())
      const [dan, eve] = [Number((yield* driver())["driver_id"]), Number((yield* driver())["driver_id"])]
      const ada = yield* customer({ preferred_driver_ids: [eve], refused_driver_ids: [dan] })
      assert.deepInclude(ada, { preferred_driver_ids: [eve], refused_driver_ids: [dan] })
      const path = `/customers/${String(ada["customer_id"])}`
      const refused = (body: object) =>
        Effect.map(send("PATCH", path, body), (answer) => refusedAs(answer, 422, "invalid_request"))
      assert.deepStrictEqual(
        yield* refused({ preferred_driver_ids: [999_999], refused_driver_ids: [eve, dan] }),
        [{ field: "preferred_driver_ids.0", issue: "not_found" }]
      )
      assert.deepStrictEqual(yield* refused({ preferred_driver_ids: [dan] }), [
        { field: "refused_driver_ids.0", issue: "invalid" }
      ])
      const { trip_id } = yield* trip({ customer_id: ada["customer_id"] })
      const assign = (driver_ids: ReadonlyArray<number>) =>
        Effect.map(
          send("POST", `/trips/${String(trip_id)}/drivers`, { driver_ids }),
          (answer) => record(answer)["warnings"]
        )
      assert.deepStrictEqual(yield* assign([dan]), [{ type: "refused_driver", driver_id: dan }])
      assert.deepStrictEqual(yield* assign([eve]), [])
      record(yield* send("PATCH", path, { preferred_driver_ids: null, refused_driver_ids: [] }))
      assert.deepStrictEqual(yield* assign([dan]), [])
    })
  )

  it.effect("are made, read, changed and deleted, each with its ETag", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { send } = yield* company(server)
      const made = yield* send("POST", "/customers", { ...full, email: " Zoe.Muller@Example.com " })
      assert.strictEqual(made.status, 201)
      const { customer_id, ...customer } = record(made)
      assert.deepInclude(customer, full)
      assert.deepStrictEqual(
        Object.keys(customer).sort(),
        [
          ...Object.keys(full),
          "preferred_driver_ids",
          "refused_driver_ids",
          "tariff_id",
          "created_at",
          "updated_at"
        ].sort()
      )
      const path = `/customers/${String(customer_id)}`
      const read = yield* send("GET", path)
      assert.deepStrictEqual(record(read), record(made))
      const changed = record(yield* send("PATCH", path, { email: null, notes: "", name: "Zoe" }))
      assert.deepInclude(changed, { email: null, notes: null, name: "Zoe", phone: full.phone })
      const stale = { "if-match": read.headers.get("etag") ?? "" }
      refusedAs(yield* send("PATCH", path, { name: "E" }, stale), 409, "conflict")
      refusedAs(yield* send("DELETE", path, undefined, stale), 409, "conflict")
      assert.deepStrictEqual(record(yield* send("DELETE", path)), { deleted: true })
      for (const [method, tail, body] of [
        ["GET", "", undefined],
        ["PATCH", "", { name: "X" }],
        ["DELETE", "", undefined],
        ["GET", "/trips", undefined],
        ["GET", "/invoices", undefined]
      ] as const)
        refusedAs(yield* send(method, path + tail, body), 404, "not_found")
      assert.isEmpty(yield* sql`SELECT FROM customers WHERE customer_id = ${Number(customer_id)}`)
    })
  )

  it.effect("with wrong fields are refused, naming all of them", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { customer, send } = yield* company(server)
      const bad = {
        name: "\t",
        email: "a@b@c.example",
        phone: "1".repeat(41),
        company: "x".repeat(201),
        address: 7,
        notes: "\u0000"
      }
      const issues = wrong({
        name: "required",
        email: "invalid",
        phone: "too_long",
        company: "too_long",
        address: "invalid",
        notes: "invalid"
      })
      const details = (answer: Parameters<typeof refusedAs>[0]) => [
        ...(refusedAs(answer, 422, "invalid_request") ?? [])
      ]
      assert.sameDeepMembers(details(yield* send("POST", "/customers", bad)), issues)
      const path = `/customers/${String((yield* customer())["customer_id"])}`
      assert.sameDeepMembers(details(yield* send("PATCH", path, bad)), issues)
      assert.isEmpty(details(yield* send("PATCH", path, { nickname: "Z" })))
      assert.lengthOf(records(yield* send("GET", "/customers")), 1)
    })
  )

  it.effect(
    "have different emails in a business, in any case and spacing; that of a deleted one can be used again",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { customer, send } = yield* company(server)
        const stranger = yield* company(server)
        const { customer_id } = yield* customer({ email: "ada@example.com" })
        yield* stranger.customer({ email: "ada@example.com" })
        const other = yield* customer({ email: "other@example.com" })
        const path = `/customers/${String(other["customer_id"])}`
        refusedAs(
          yield* send("POST", "/customers", { name: "B", email: "ADA@example.com" }),
          409,
          "email_exists"
        )
        refusedAs(yield* send("PATCH", path, { email: "Ada@Example.com", name: "C" }), 409, "email_exists")
        assert.deepInclude(record(yield* send("GET", path)), { email: "other@example.com", name: "Ada" })
        record(yield* send("PATCH", path, { email: "OTHER@example.com" }))
        record(yield* send("DELETE", `/customers/${String(customer_id)}`))
        assert.deepInclude(record(yield* send("PATCH", path, { email: "ada@example.com" })), {
          email: "ada@example.com"
        })
      })
  )

  it.effect("of one email are one, also if concurrent requests make them or change their email", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { customer, send } = yield* company(server)
      const some: Array<unknown> = []
      for (let index = 0; index < 4; index++) some.push((yield* customer())["customer_id"])
      const answers = yield* Effect.all(
        [
          ...Array.from({ length: 6 }, () =>
            send("POST", "/customers", { name: "N", email: "one@example.com" })
          ),
          ...some.map((id) => send("PATCH", `/customers/${String(id)}`, { email: "one@example.com" }))
        ],
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status < 300),
        1
      )
      for (const answer of answers.filter(({ status }) => status >= 300))
        refusedAs(answer, 409, "email_exists")
    })
  )

  it.effect("that swap their emails concurrently are both refused, without a deadlock", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { customer, send } = yield* company(server)
      const [one, other] = [
        yield* customer({ email: "one@example.com" }),
        yield* customer({ email: "other@example.com" })
      ]
      const move = (to: typeof one, email: unknown) =>
        send("PATCH", `/customers/${String(to["customer_id"])}`, { email })
      for (let round = 0; round < 5; round++)
        for (const answer of yield* Effect.all([move(one, other["email"]), move(other, one["email"])], {
          concurrency: "unbounded"
        }))
          refusedAs(answer, 409, "email_exists")
    })
  )

  it.effect("are listed by name and found by the beginnings of words of name, email and phone", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { customer, send } = yield* company(server)
      const stranger = yield* company(server)
      yield* stranger.customer(full)
      yield* customer({ name: "Bob O'Neil", email: "bob@o-neil.example", phone: "044 555 66 77" })
      yield* customer(full)
      yield* customer({ name: "Anna 100%" })
      const found = (search: string) =>
        Effect.map(send("GET", `/customers?search=${encodeURIComponent(search)}`), (answer) =>
          records(answer).map(({ name }) => name)
        )
      const [anna, bob, zoe] = ["Anna 100%", "Bob O'Neil", full.name]
      assert.deepStrictEqual(yield* found(""), [anna, bob, zoe])
      for (const search of [
        "zoe",
        "ZOË",
        "mül",
        "mull zo",
        "zoe.muller@ex",
        "+41 79",
        "079 123 45",
        "123-45-67",
        "zoe 4179"
      ])
        assert.deepStrictEqual(yield* found(search), [zoe], search)
      for (const search of ["o'neil", "neil b", "bob@o-neil.example", "0445556677"])
        assert.deepStrictEqual(yield* found(search), [bob], search)
      assert.deepStrictEqual(yield* found("example"), [bob, zoe])
      for (const search of ["uller", "zoe anna", "%", "'", "\\", "&|!:*", "9999"])
        assert.deepStrictEqual(yield* found(search), [], search)
      const page = yield* send("GET", "/customers?search=example&per_page=1&page=2")
      assert.deepInclude(page.body.meta?.pagination, { count: 1, total: 2, has_more: false })
      const id = String(records(yield* send("GET", "/customers?search=zoe"))[0]?.["customer_id"])
      record(yield* send("PATCH", `/customers/${id}`, { name: "Carla" }))
      assert.deepStrictEqual(yield* found("carl"), ["Carla"])
      assert.deepStrictEqual(
        refusedAs(yield* send("GET", `/customers?search=${"x".repeat(201)}`), 422, "invalid_request"),
        wrong({ search: "too_long" })
      )
    })
  )
})

layer(Ports)("a customer of any name", (it) => {
  it.effect("can be stored, read and searched for, also with long words", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, send } = yield* company(server)
      const name = "㌖".repeat(200)
      const typed = `${"㌖".repeat(21)}@${"㌖".repeat(4)}.ch`
      const email = canonicalEmail(typed) ?? ""
      const { customer_id } = yield* customer({ name, email: typed })
      assert.deepInclude(record(yield* send("GET", `/customers/${String(customer_id)}`)), { name, email })
      yield* sql`SELECT search::text FROM customers WHERE business_id = ${businessId}`
      for (const search of [name, name.slice(0, 150), "㌖", typed, email.slice(0, 30)])
        assert.lengthOf(records(yield* send("GET", `/customers?search=${encodeURIComponent(search)}`)), 1)
    })
  )
})

layer(Ports)("deleting a customer", (it) => {
  it.effect(
    "with open trips requires a confirmation; with `force`, the trips keep their booked contact",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { customer, send, trip } = yield* company(server)
        const email = "ada@example.com"
        const { customer_id } = yield* customer({ email })
        const { trip_id } = yield* trip({ customer_email: email })
        const path = `/customers/${String(customer_id)}`
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("DELETE", path), 409, "confirmation_required"),
          [{ trip_id }]
        )
        assert.deepStrictEqual(record(yield* send("DELETE", path, { force: true })), { deleted: true })
        assert.deepInclude(record(yield* send("GET", `/trips/${String(trip_id)}`)), {
          customer_id: null,
          customer_email: email,
          customer_name: "Ada"
        })
        refusedAs(yield* send("GET", path), 404, "not_found")
      })
  )

  it.effect("that invoices or ended trips refer to is hidden, and the row is kept", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, customer, send, trip } = yield* company(server)
      const { customer_id } = yield* customer({ email: "ada@example.com" })
      yield* trip({ customer_email: "ada@example.com" })
      yield* sql`UPDATE trips SET status = 'completed' WHERE business_id = ${businessId}`
      record(yield* send("DELETE", `/customers/${String(customer_id)}`))
      assert.isEmpty(records(yield* send("GET", "/customers")))
      assert.isEmpty(records(yield* send("GET", "/customers?search=ada")))
      const rows = yield* sql<{ customer_id: number }>`
        SELECT customer_id FROM trips WHERE business_id = ${businessId}`
      assert.deepStrictEqual(rows, [{ customer_id: Number(customer_id) }])
      // The next customer with that email is a new one, and gets no trips that have a customer.
      const again = yield* customer({ email: "ada@example.com" })
      assert.isEmpty(records(yield* send("GET", `/customers/${String(again["customer_id"])}/trips`)))
    })
  )
})
