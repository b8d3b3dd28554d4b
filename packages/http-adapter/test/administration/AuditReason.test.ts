import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { business, operator, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, refusedAs } from "../support/TestServer.ts"

const administration = Effect.gen(function* () {
  const server = yield* openServer()
  const { token, userId } = yield* superAdmin(server)
  const sql = yield* SqlClient.SqlClient
  return {
    server,
    change: (method: "PATCH" | "POST", path: string, body: unknown, reason: string) =>
      server.send(method, `/admin${path}`, {
        credential: token,
        body,
        headers: { "x-audit-reason": reason }
      }),
    /** The actions and reasons of the super-admin's changes after the own sign-up and sign-in, in their order. */
    entries: Effect.map(
      sql<{ readonly action: string; readonly reason: string | null }>`
        SELECT action, reason FROM audit_log
        WHERE actor = ${`user:${userId}`} AND subject <> actor AND action <> 'business.founded' ORDER BY audit_id`,
      (rows) => rows.map(({ action, reason }) => [action, reason])
    )
  }
})

layer(Ports)("X-Audit-Reason", (it) => {
  it.effect("is the reason of every administrative change in the audit log, in any script", () =>
    Effect.gen(function* () {
      const { change, entries, server } = yield* administration
      const { businessId } = yield* business(server)
      const { userId } = yield* operator(server)
      const reason = "Anruf vom 3. Mai: Größe 京"
      const header = ` ${encodeURIComponent(reason)} `
      const account = { name: "Ada", email: "reason@example.com", password: "a long password" }
      yield* Effect.forEach(
        [
          ["PATCH", `/businesses/${businessId}`, { business_name: "Renamed" }],
          ["POST", `/businesses/${businessId}/suspend`, { action: "suspend" }],
          ["POST", "/users", { ...account, account_type: "A" }],
          ["POST", `/users/${userId}/password-reset`, { password: "another password" }],
          ["POST", `/users/${userId}/business-assignment`, { business_id: businessId, action: "assign" }],
          ["PATCH", "/settings/rate_limit_public", { value: 131 }]
        ] as const,
        ([method, path, body]) => Effect.map(change(method, path, body, header), record)
      )
      assert.deepStrictEqual(yield* entries, [
        ["business.changed", reason],
        ["business.suspended", reason],
        ["user.created", reason],
        ["user.password_reset", reason],
        ["user.assigned", reason],
        ["setting.changed", reason]
      ])
    })
  )

  it.effect("gives way to a reason in the body, and none is stored for a blank one", () =>
    Effect.gen(function* () {
      const { change, entries, server } = yield* administration
      const { businessId } = yield* business(server)
      const credits = { credits: 5, reason: "Of the body" }
      record(yield* change("POST", `/businesses/${businessId}/credits`, credits, "Of%20the%20header"))
      record(yield* change("PATCH", "/settings/rate_limit_public", { value: 132 }, "%20"))
      assert.deepStrictEqual(yield* entries, [
        ["business.credits_changed", "Of the body"],
        ["setting.changed", null]
      ])
    })
  )

  it.effect("that is malformed or longer than 500 characters is 422 by its name, and changes nothing", () =>
    Effect.gen(function* () {
      const { change, entries } = yield* administration
      for (const [header, issue] of [
        ["%E4", "invalid"],
        ["50 %", "invalid"],
        ["%00", "invalid"],
        ["a".repeat(501), "too_long"]
      ] as const)
        assert.deepStrictEqual(
          refusedAs(
            yield* change("PATCH", "/settings/rate_limit_public", { value: 133 }, header),
            422,
            "invalid_request"
          ),
          [{ field: "X-Audit-Reason", issue }],
          header
        )
      record(yield* change("PATCH", "/settings/rate_limit_public", { value: 134 }, "%C3%A9".repeat(500)))
      assert.deepStrictEqual(yield* entries, [["setting.changed", "é".repeat(500)]])
    })
  )
})
