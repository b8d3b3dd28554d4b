import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assign, business, codeFor, operator } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { type Answer, openServer } from "../support/TestServer.ts"

interface Entry {
  readonly action: string
  readonly request_id: string | null
}

const done = (answer: Answer, status: number) => {
  assert.strictEqual(answer.status, status, answer.text)
  return answer.body.meta?.request_id ?? null
}

layer(Ports)("the audit log has the id of the request", (it) => {
  it.effect("that changed or removed a member, and that changed or reset a person's own password", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const owner = yield* business(server)
      const colleague = yield* operator(server)
      yield* assign(owner.businessId, colleague.userId, "viewer")
      const path = `/business/members/${colleague.userId}`
      const ask = { credential: owner.token, business: owner.businessId }
      const { password, token } = colleague
      const changed = yield* server.send("PATCH", path, { ...ask, body: { role: "dispatcher" } })
      const removed = yield* server.send("DELETE", path, ask)
      const own = yield* server.send("POST", "/me/password", {
        credential: token,
        body: { current_password: password, new_password: "another horse" }
      })
      yield* server.send("POST", "/auth/password-reset", { body: { email: colleague.email } })
      const code = yield* codeFor(colleague.email)
      const reset = yield* server.send("POST", "/auth/password-reset/confirm", {
        body: { code, password: "a third horse" }
      })
      const expected = [done(changed, 200), done(removed, 200), done(own, 200), done(reset, 200)]
      const entries = yield* sql<Entry>`
        SELECT action, request_id FROM audit_log WHERE request_id IN ${sql.in(expected)} ORDER BY audit_id`
      assert.deepStrictEqual(
        entries.map(({ request_id }) => request_id),
        expected
      )
      assert.deepStrictEqual(
        yield* sql<Entry>`
          SELECT action, request_id FROM audit_log
          WHERE request_id IS NULL AND (action LIKE 'member.%' OR action LIKE 'password.%')`,
        []
      )
    })
  )
})
