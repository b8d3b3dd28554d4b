import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { company, plans } from "../support/Fleet.ts"
import { superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const seatsOf = Effect.fnUntraced(function* (businessId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ driver_id: number; price_minor: number; currency: string; open: boolean }>`
    SELECT driver_id, price_minor, currency, ended_at IS NULL AS open FROM driver_seats
    WHERE business_id = ${businessId} ORDER BY seat_id`
})

layer(Ports)("the plan's drivers", (it) => {
  it.effect(
    "where no seats are sold, the next is refused, also when confirmed, and the plan is to be upgraded",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, driver, send } = yield* company(server, "free")
        yield* driver()
        yield* driver()
        const idle = yield* driver({ active: false })
        const detail = [
          { limit: 2, current: 2, seat_price: null, currency: "USD", requires_confirmation: false }
        ]
        for (const body of [{ name: "C" }, { name: "C", confirm_seat: true }])
          assert.deepStrictEqual<unknown>(
            refusedAs(yield* send("POST", "/drivers", body), 402, "plan_limit_exceeded"),
            detail
          )
        const path = `/drivers/${String(idle["driver_id"])}`
        assert.deepStrictEqual<unknown>(
          refusedAs(
            yield* send("PATCH", path, { active: true, confirm_seat: true }),
            402,
            "plan_limit_exceeded"
          ),
          detail
        )
        assert.deepInclude(record(yield* send("GET", path)), { active: false })
        assert.isEmpty(yield* seatsOf(businessId))
      })
  )

  it.effect(
    "where seats are sold, a confirmed one is recorded with its price, and ends when it is needed no more",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, driver, send } = yield* company(server, "pro")
        const ids: Array<unknown> = []
        for (let index = 0; index < 10; index++)
          ids.push((yield* driver({ name: `Driver ${index}`, confirm_seat: true }))["driver_id"])
        assert.isEmpty(yield* seatsOf(businessId))
        assert.deepStrictEqual<unknown>(
          refusedAs(yield* send("POST", "/drivers", { name: "K" }), 402, "plan_limit_exceeded"),
          [{ limit: 10, current: 10, seat_price: 15, currency: "USD", requires_confirmation: true }]
        )
        const { driver_id } = yield* driver({ name: "K", confirm_seat: true })
        const seat = { driver_id: Number(driver_id), price_minor: 1500, currency: "USD", open: true }
        assert.deepStrictEqual(yield* seatsOf(businessId), [seat])
        // A driver within the plan's limit is deleted. No seat is paid for while the plan's limit is not reached.
        record(yield* send("PATCH", `/drivers/${String(ids[0])}`, { active: false }))
        assert.deepStrictEqual(yield* seatsOf(businessId), [{ ...seat, open: false }])
        const back = { active: true, confirm_seat: false }
        assert.strictEqual((yield* send("PATCH", `/drivers/${String(ids[0])}`, back)).status, 402)
        record(yield* send("PATCH", `/drivers/${String(ids[0])}`, { ...back, confirm_seat: true }))
        const taken = yield* seatsOf(businessId)
        assert.deepStrictEqual(
          taken.map(({ driver_id, open }) => [driver_id, open]),
          [
            [Number(driver_id), false],
            [Number(ids[0]), true]
          ]
        )
        // The driver is deleted although a seat's history refers to it.
        record(yield* send("DELETE", `/drivers/${String(ids[0])}`))
        assert.isFalse((yield* seatsOf(businessId)).some(({ open }) => open))
        assert.lengthOf(records(yield* send("GET", "/drivers?active=true")), 10)
      })
  )

  it.effect("are not exceeded by 20 at once: with one place left, one is made", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { driver, send } = yield* company(server, "free")
      yield* driver()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          send("POST", "/drivers", { name: `Driver ${index}`, confirm_seat: true })
        ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        1
      )
      for (const answer of answers.filter(({ status }) => status !== 201))
        refusedAs(answer, 402, "plan_limit_exceeded")
      assert.lengthOf(records(yield* send("GET", "/drivers")), 2)
    })
  )

  it.effect("beyond the plan, as many seats are paid as drivers were confirmed at once, and no more", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, driver, send } = yield* company(server, "pro")
      for (let index = 0; index < 8; index++) yield* driver()
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => send("POST", "/drivers", { name: "New", confirm_seat: true })),
        { concurrency: "unbounded" }
      )
      for (const { status } of answers) assert.strictEqual(status, 201)
      assert.lengthOf(
        (yield* seatsOf(businessId)).filter(({ open }) => open),
        4
      )
      const all = yield* sql<{
        driver_id: number
      }>`SELECT driver_id FROM drivers WHERE business_id = ${businessId}`
      const deletions = yield* Effect.forEach(
        all.slice(0, 6),
        ({ driver_id }) => send("DELETE", `/drivers/${driver_id}`),
        { concurrency: "unbounded" }
      )
      for (const { fault, status } of deletions) assert.strictEqual(status, 200, fault)
      assert.isFalse((yield* seatsOf(businessId)).some(({ open }) => open))
    })
  )

  it.effect(
    "end their seats as far as another plan includes them, and keep the drivers of a smaller plan",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId, driver, send } = yield* company(server, "pro")
        const admin = yield* superAdmin(server)
        const subscribe = (plan: keyof typeof plans) =>
          Effect.map(
            server.send("PATCH", `/admin/businesses/${businessId}`, {
              credential: admin.token,
              body: { subscription_plan_id: plans[plan] }
            }),
            record
          )
        const open = Effect.map(seatsOf(businessId), (seats) => seats.filter((seat) => seat.open).length)
        for (let index = 0; index < 13; index++) yield* driver({ confirm_seat: true })
        assert.strictEqual(yield* open, 3)
        yield* subscribe("fleet")
        assert.strictEqual(yield* open, 0)
        yield* subscribe("pro")
        assert.strictEqual(yield* open, 0)
        assert.lengthOf(records(yield* send("GET", "/drivers?active=true")), 13)
        refusedAs(yield* send("POST", "/drivers", { name: "New" }), 402, "plan_limit_exceeded")
      })
  )
})
