import { assert, layer } from "@effect/vitest"
import {
  unspecifiedSeller,
  noDunning,
  unspecifiedTerms,
  unspecifiedBusinessTaxes,
  unspecifiedUntaxed,
  defaultEmailWording
} from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { samples } from "../../../integrations/test/files/Samples.ts"
import { book } from "../support/Webhooks.ts"
import { Ports } from "../support/TestPorts.ts"
import { business } from "../support/People.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"
import { formOf, submit } from "../uploads/Submission.ts"

const uploadTo = (server: TestServer, key: string, file: Uint8Array<ArrayBuffer>) =>
  Effect.map(submit(server, key, formOf(["file", file])), record)

layer(Ports)("/settings/business", (it) => {
  it.effect("returns the acting business's profile", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { business_name, businessId, email, key } = yield* business(server)
      const { created_at, updated_at, ...rest } = record(
        yield* server.send("GET", "/settings/business", { credential: key })
      )
      assert.deepStrictEqual(rest, {
        business_id: businessId,
        business_name,
        business_email: email,
        phone: null,
        address: null,
        website_url: null,
        logo_url: null,
        accent_color: null,
        vendor_slug: business_name.toLowerCase().replaceAll(" ", "-"),
        timezone: "UTC",
        currency: "USD",
        clash_policy: "warn",
        drive_time_enforced: false,
        turnaround_minutes: 0,
        early_start_minutes: null,
        holidays: [],
        booking_confirmation_required: false,
        pickup_pin: false,
        ...unspecifiedSeller,
        ...unspecifiedTerms,
        dunning: noDunning,
        ...unspecifiedUntaxed,
        ...unspecifiedBusinessTaxes,
        accounting: {},
        email_wording: defaultEmailWording,
        booking_page: {
          lead_minutes: 0,
          class_leads: [],
          opening_hours: [],
          blackout_dates: [],
          manual_pricing_hours: 0,
          embed_origins: [],
          asks_payment: false
        }
      })
      assert.strictEqual(created_at, updated_at)
    })
  )

  it.effect("changes the given fields of this business only, and ignores unknown fields", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [{ key }, other] = [yield* business(server), yield* business(server)]
      const before = record(yield* server.send("GET", "/settings/business", { credential: other.key }))
      const changed = record(
        yield* server.send("PATCH", "/settings/business", {
          credential: key,
          body: { phone: "+41", clash_policy: "enforce", business_id: other.businessId, status: "D" }
        })
      )
      assert.deepInclude(changed, { phone: "+41", clash_policy: "enforce" })
      assert.deepStrictEqual(
        record(yield* server.send("GET", "/settings/business", { credential: key })),
        changed
      )
      assert.deepStrictEqual(
        record(yield* server.send("GET", "/settings/business", { credential: other.key })),
        before
      )
      for (const body of [{}, { status: "D" }]) {
        const refusal = yield* server.send("PATCH", "/settings/business", { credential: key, body })
        refusedAs(refusal, 422, "invalid_request")
        assert.include(
          refusal.body.error?.message,
          "The body has none of the fields that can be changed here"
        )
      }
      const list = yield* server.send("PATCH", "/settings/business", { credential: key, body: [] })
      refusedAs(list, 422, "invalid_request")
      assert.include(list.body.error?.message, "The body must be a JSON object")
    })
  )

  it.effect(
    "takes a picture of the business as the logo, and no document, nor another business's picture",
    () =>
      Effect.gen(function* () {
        const server = yield* openServer()
        const [{ key }, other] = [yield* business(server), yield* business(server)]
        const change = (body: object) => server.send("PATCH", "/settings/business", { credential: key, body })
        const [picture, document] = [
          yield* uploadTo(server, key, samples.png),
          yield* uploadTo(server, key, samples.pdf)
        ]
        const foreign = yield* uploadTo(server, other.key, samples.png)
        const set = record(yield* change({ logo_upload_id: picture["upload_id"], phone: "+41 44 1" }))
        assert.deepInclude(set, { logo_url: picture["url"], phone: "+41 44 1" })
        assert.notProperty(set, "logo_upload_id")
        const wrong = [
          [document["upload_id"], "invalid"],
          [foreign["upload_id"], "not_found"],
          [987_654, "not_found"],
          ["one", "invalid"]
        ] as const
        for (const [logo_upload_id, issue] of wrong)
          assert.deepStrictEqual(refusedAs(yield* change({ logo_upload_id }), 422, "invalid_request"), [
            { field: "logo_upload_id", issue }
          ])
        assert.deepInclude(record(yield* change({ phone: "+41 44 2" })), { logo_url: picture["url"] })
        assert.deepInclude(record(yield* change({ logo_upload_id: null })), { logo_url: null })
      })
  )

  it.effect("takes VAT numbers as invoices show them, also the Swiss one with its suffix", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const vat = (vat_number: string) =>
        server.send("PATCH", "/settings/business", { credential: key, body: { vat_number } })
      for (const [written, stored] of [
        ["CHE-123.456.788 MWST", "CHE123456788MWST"],
        ["de 123 456 789", "DE123456789"],
        ["NL123456789B01", "NL123456789B01"]
      ] as const)
        assert.strictEqual(record(yield* vat(written))["vat_number"], stored)
      for (const wrong of ["123456789", "CHE-123.456.788 MWST 1"])
        assert.deepStrictEqual(refusedAs(yield* vat(wrong), 422, "invalid_request"), [
          { field: "vat_number", issue: "invalid" }
        ])
    })
  )

  it.effect("audits a change with its author", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, token, userId } = yield* business(server)
      record(yield* server.send("PATCH", "/settings/business", { credential: token, body: { phone: "1" } }))
      assert.deepStrictEqual(
        yield* sql`
          SELECT actor, before, after FROM audit_log
          WHERE business_id = ${businessId} AND action = 'business.settings_changed'`,
        [{ actor: `user:${userId}`, before: { phone: null }, after: { phone: "1" } }]
      )
    })
  )

  it.effect("a slug that another business has is a conflict, and its own one is not", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const [one, other] = [yield* business(server), yield* business(server)]
      const rename = (vendor_slug: unknown) =>
        server.send("PATCH", "/settings/business", { credential: one.key, body: { vendor_slug } })
      const { vendor_slug } = record(
        yield* server.send("GET", "/settings/business", { credential: other.key })
      )
      refusedAs(yield* rename(vendor_slug), 409, "conflict")
      const renamed = record(yield* rename("zoe"))
      assert.strictEqual(renamed["vendor_slug"], "zoe")
      assert.deepStrictEqual(record(yield* rename("zoe")), renamed)
    })
  )

  it.effect("a stale If-Match is a conflict, and nothing is changed", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      const patch = (phone: string, match: string) =>
        server.send("PATCH", "/settings/business", {
          credential: key,
          body: { phone },
          headers: { "If-Match": match }
        })
      const seen = String(
        (yield* server.send("GET", "/settings/business", { credential: key })).headers.get("etag")
      )
      const changed = yield* patch("1", seen)
      assert.strictEqual(record(changed)["phone"], "1")
      refusedAs(yield* patch("2", seen), 409, "conflict")
      assert.strictEqual(record(yield* patch("3", String(changed.headers.get("etag"))))["phone"], "3")
    })
  )

  it.effect("another time zone changes the offset of times and the limits of days, at once", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { key } = yield* business(server)
      // 18:00 in UTC is 07:00 of the next day in Auckland.
      const trip = record(yield* book(server, key))
      assert.strictEqual(trip["pickup_at"], "2026-12-24 18:00:00")
      const on = (day: string) =>
        Effect.map(
          server.send("GET", `/trips?date_from=${day}&date_to=${day}`, { credential: key }),
          (answer) => records(answer).map(({ pickup_at }) => pickup_at)
        )
      assert.deepStrictEqual(yield* on("2026-12-24"), ["2026-12-24 18:00:00"])
      record(
        yield* server.send("PATCH", "/settings/business", {
          credential: key,
          body: { timezone: "Pacific/Auckland", currency: "NZD" }
        })
      )
      assert.deepStrictEqual(yield* on("2026-12-24"), [])
      assert.deepStrictEqual(yield* on("2026-12-25"), ["2026-12-25 07:00:00"])
      const read = record(yield* server.send("GET", `/trips/${String(trip["trip_id"])}`, { credential: key }))
      assert.deepInclude(read, {
        trip_date: "2026-12-24T18:00:00Z",
        pickup_at: "2026-12-25 07:00:00",
        currency: "USD"
      })
      assert.strictEqual(record(yield* book(server, key))["currency"], "NZD")
    })
  )
})
