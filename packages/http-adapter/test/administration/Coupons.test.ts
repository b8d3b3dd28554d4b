import type { SaasCouponInput } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { business, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"
import {
  addCoupon,
  invoice,
  payInvoice,
  recordInvoice,
  setCouponActive,
  voidInvoice
} from "./PlatformBilling.ts"

layer(Ports)("the coupons of the platform", (it) => {
  it.effect("/admin/saas-coupons lists and reads coupons, for super-admins only", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const get = (path: string, credential = token) =>
        server.send("GET", `/admin/saas-coupons${path}`, { credential })
      const { coupon_id } = yield* addCoupon({ code: "WELCOME20", percent_off: 20 })
      const off = yield* addCoupon({
        code: "TEN_OFF",
        amount_off: 10.5,
        currency: "USD",
        duration: "forever"
      })
      const list = yield* get("")
      assert.deepInclude(list.body.meta?.pagination, { page: 1, per_page: 20, count: 2 })
      assert.deepStrictEqual(records(list)[0], {
        coupon_id,
        code: "WELCOME20",
        description: null,
        percent_off: 20,
        amount_off: null,
        currency: null,
        duration: "once",
        duration_months: null,
        max_redemptions: null,
        times_redeemed: 0,
        valid_until: null,
        active: true,
        created_at: "2026-11-20T09:30:01Z"
      })
      assert.deepInclude(record(yield* get(`/${off.coupon_id}`)), { amount_off: 10.5, currency: "USD" })
      refusedAs(yield* get("/999999999"), 404, "not_found")
      refusedAs(yield* get("?code=A"), 422, "invalid_request")
      const { key } = yield* business(server)
      refusedAs(yield* get("", key), 403, "forbidden")
    })
  )

  it.effect("a coupon whose fields contradict each other is refused with each wrong field", () =>
    Effect.gen(function* () {
      const issuesOf = (input: typeof SaasCouponInput.Encoded) =>
        Effect.map(Effect.flip(addCoupon(input)), (error) =>
          "issues" in error ? error.issues : error.reason
        )
      assert.deepStrictEqual(yield* issuesOf({ code: "NOTHING" }), [
        { field: "percent_off", issue: "required" }
      ])
      assert.deepStrictEqual(
        yield* issuesOf({ code: "BOTH", percent_off: 1, amount_off: 1, duration: "repeating" }),
        [
          { field: "amount_off", issue: "invalid" },
          { field: "currency", issue: "required" },
          { field: "duration_months", issue: "required" }
        ]
      )
      assert.deepStrictEqual(yield* issuesOf({ code: "CENTS", amount_off: 1.005, currency: "USD" }), [
        { field: "amount_off", issue: "invalid" }
      ])
      assert.deepStrictEqual(yield* issuesOf({ code: "PERCENT_IN", percent_off: 5, currency: "USD" }), [
        { field: "currency", issue: "invalid" }
      ])
      yield* addCoupon({ code: "ONCE_ONLY", percent_off: 1 })
      assert.strictEqual(
        yield* issuesOf({ code: "ONCE_ONLY", percent_off: 2 }),
        "Another coupon has that code"
      )
    })
  )

  it.effect("a voided invoice takes no payment, and does not count as a redemption of its coupon", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const { businessId } = yield* business(server)
      const { coupon_id } = yield* addCoupon({ code: "PARTNER", percent_off: 50, duration: "forever" })
      const redeemed = Effect.map(
        server.send("GET", `/admin/saas-coupons/${coupon_id}`, { credential: token }),
        (answer) => record(answer)["times_redeemed"]
      )
      const recorded = { ...invoice(businessId, "P-5"), coupon_id, payments: [] }
      const { saas_invoice_id } = yield* recordInvoice(recorded)
      assert.strictEqual(yield* redeemed, 1)
      const voided = yield* voidInvoice(saas_invoice_id)
      assert.deepInclude(voided, { status: "void", amount_due: 0 })
      assert.strictEqual(yield* redeemed, 0)
      const payment = { amount: 1, method: "cash", paid_on: "2026-11-25" } as const
      for (const refused of [voidInvoice(saas_invoice_id), payInvoice(saas_invoice_id, payment)])
        assert.include((yield* Effect.flip(refused)).message, "Invoice P-5 is void")
      yield* recordInvoice({ ...recorded, number: "P-6" })
      yield* recordInvoice({ ...recorded, number: "P-7" })
      assert.strictEqual(yield* redeemed, 1)
    })
  )

  it.effect(
    "an invoice cannot have a coupon that is inactive, expired, exhausted or of another currency",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const { businessId } = yield* business(server)
        const other = yield* business(server)
        const refusalOf = Effect.fnUntraced(function* (
          coupon: typeof SaasCouponInput.Encoded,
          given: Partial<ReturnType<typeof invoice>> = {}
        ) {
          const { coupon_id } = yield* addCoupon(coupon)
          if (coupon.max_redemptions !== undefined)
            yield* recordInvoice({ ...invoice(other.businessId, `U-${coupon.code}`), coupon_id })
          if (coupon.code === "INACTIVE") yield* setCouponActive(coupon_id, false)
          const recorded = { ...invoice(businessId, `N-${coupon.code}`), ...given, coupon_id }
          const refused = yield* Effect.flip(recordInvoice(recorded))
          return "issues" in refused ? { issues: refused.issues, advice: refused.advice } : refused.message
        })
        const wrong = (advice: string) => ({
          issues: [{ field: "coupon_id", issue: "invalid" as const }],
          advice
        })
        assert.deepStrictEqual(
          yield* refusalOf({ code: "INACTIVE", percent_off: 20 }),
          wrong("Coupon INACTIVE is not active")
        )
        assert.deepStrictEqual(
          yield* refusalOf({ code: "EXPIRED", percent_off: 20, valid_until: "2026-11-19" }),
          wrong("Coupon EXPIRED was valid until 2026-11-19")
        )
        assert.deepStrictEqual(
          yield* refusalOf({ code: "EXHAUSTED", percent_off: 20, max_redemptions: 1 }),
          wrong("Coupon EXHAUSTED was redeemed by 1 businesses, and its limit is 1")
        )
        assert.deepStrictEqual(
          yield* refusalOf({ code: "EUROS", amount_off: 10, currency: "EUR" }),
          wrong("Coupon EUROS is an amount in EUR")
        )
        const both = yield* refusalOf(
          { code: "LATE", percent_off: 20, valid_until: "2026-11-19" },
          { discount_total: 500 }
        )
        assert.deepStrictEqual(typeof both === "string" ? both : both.issues, [
          { field: "coupon_id", issue: "invalid" },
          { field: "discount_total", issue: "out_of_range" }
        ])
        const { token } = yield* superAdmin(server)
        const kept = yield* server.send("GET", `/admin/saas-invoices?business_id=${businessId}`, {
          credential: token
        })
        assert.deepStrictEqual(records(kept), [])
        const { coupon_id } = yield* addCoupon({
          code: "LAST_DAY",
          percent_off: 20,
          valid_until: "2026-11-20"
        })
        yield* recordInvoice({ ...invoice(businessId, "N-LAST_DAY"), coupon_id })
      })
  )

  it.effect("a business keeps a coupon for its duration, even after the coupon has ended", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId } = yield* business(server)
      const adviceOf = Effect.fnUntraced(function* (coupon_id: number, issued_on: string) {
        const recorded = { ...invoice(businessId, `D-${coupon_id}-${issued_on}`), coupon_id, issued_on }
        return yield* Effect.match(recordInvoice(recorded), {
          onSuccess: () => null,
          onFailure: (refused) => ("issues" in refused ? refused.advice : refused.message)
        })
      })
      const ended = { max_redemptions: 1, percent_off: 20, valid_until: "2026-11-30" }
      const once = yield* addCoupon({ ...ended, code: "ONCE" })
      const months = yield* addCoupon({ ...ended, code: "MONTHS", duration: "repeating", duration_months: 3 })
      const forever = yield* addCoupon({ ...ended, code: "FOREVER", duration: "forever" })
      for (const { coupon_id } of [once, months, forever]) {
        assert.isNull(yield* adviceOf(coupon_id, "2026-11-30"))
        assert.strictEqual((yield* setCouponActive(coupon_id, false)).active, false)
      }
      assert.strictEqual(
        yield* adviceOf(once.coupon_id, "2026-12-31"),
        "Coupon ONCE is for one invoice, and the business has one with it"
      )
      assert.isNull(yield* adviceOf(months.coupon_id, "2026-12-31"))
      assert.isNull(yield* adviceOf(months.coupon_id, "2027-02-27"))
      assert.strictEqual(
        yield* adviceOf(months.coupon_id, "2027-02-28"),
        "Coupon MONTHS is for 3 months, which end before 2027-02-28"
      )
      assert.strictEqual(
        yield* adviceOf(months.coupon_id, "2026-11-20"),
        "Coupon MONTHS is for 3 months, which end before 2027-02-20"
      )
      assert.isNull(yield* adviceOf(forever.coupon_id, "2036-12-31"))
    })
  )

  it.effect("one of the businesses that redeem a coupon for the last time at once succeeds", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const { coupon_id } = yield* addCoupon({ code: "TWO_ONLY", percent_off: 20, max_redemptions: 2 })
      const redeem = Effect.fnUntraced(function* (
        given: Partial<ReturnType<typeof invoice>> & { voided?: true }
      ) {
        const { businessId } = yield* business(server)
        const recorded = { ...invoice(businessId, `R-${businessId}`), coupon_id, payments: [], ...given }
        return { run: recordInvoice(recorded) }
      })
      const { saas_invoice_id } = yield* (yield* redeem({})).run
      const rivals = yield* Effect.forEach([1, 2, 3, 4, 5], () => redeem({}))
      const tried = yield* Effect.forEach(rivals, ({ run }) => Effect.exit(run), { concurrency: "unbounded" })
      assert.lengthOf(tried.filter(Exit.isSuccess), 1)
      const redeemed = Effect.map(
        server.send("GET", `/admin/saas-coupons/${coupon_id}`, { credential: token }),
        (answer) => record(answer)["times_redeemed"]
      )
      assert.strictEqual(yield* redeemed, 2)
      // A void returns the redemption, and an invoice that is recorded as void takes none.
      yield* voidInvoice(saas_invoice_id)
      assert.strictEqual(yield* redeemed, 1)
      yield* (yield* redeem({ voided: true })).run
      assert.strictEqual(yield* redeemed, 1)
      yield* (yield* redeem({})).run
      assert.strictEqual(yield* redeemed, 2)
    })
  )

  it.effect("a coupon is activated and deactivated once each, audited, and never over the API", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* openServer()
      const { token } = yield* superAdmin(server)
      const { coupon_id } = yield* addCoupon({ code: "SWITCHED", percent_off: 20 })
      const path = `/admin/saas-coupons/${coupon_id}`
      const read = Effect.map(
        server.send("GET", path, { credential: token }),
        (answer) => record(answer)["active"]
      )
      for (const active of [false, false, true, true]) {
        assert.strictEqual((yield* setCouponActive(coupon_id, active)).active, active)
        assert.strictEqual(yield* read, active)
      }
      const audited = yield* sql`
        SELECT action, before, after FROM audit_log WHERE subject = ${`coupon:${coupon_id}`} ORDER BY audit_id`
      assert.deepStrictEqual(audited.slice(1), [
        { action: "coupon.deactivated", before: { active: true }, after: { active: false } },
        { action: "coupon.activated", before: { active: false }, after: { active: true } }
      ])
      assert.strictEqual((yield* Effect.flip(setCouponActive(999_999_999, false)))._tag, "NotFound")
      for (const method of ["PATCH", "DELETE"] as const)
        refusedAs(
          yield* server.send(method, path, { credential: token, body: { active: false } }),
          405,
          "invalid_request"
        )
      assert.isTrue(yield* read)
    })
  )
})
