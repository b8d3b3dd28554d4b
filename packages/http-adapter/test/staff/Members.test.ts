import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wrong } from "../support/Fleet.ts"
import { assign, codeFor, messagesTo, newcomer, superAdmin } from "../support/People.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs, type TestServer } from "../support/TestServer.ts"
import { members, ownedBusiness, newMember, accept } from "./BusinessMembers.ts"

layer(Ports)("members", (it) => {
  it.effect("a founder is the first owner", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { email, name, send, userId } = yield* ownedBusiness(server)
      const answer = yield* send("GET", members)
      const [first, ...others] = records(answer)
      assert.lengthOf(others, 0)
      assert.deepInclude(first, { user_id: userId, name, email, role: "owner" })
      assert.deepInclude(answer.body.meta?.pagination, { total: 1, has_more: false })
    })
  )

  it.effect("wrong input names every wrong field and mails nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { roles, send, userId } = yield* ownedBusiness(server)
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", members, { email: "nobody", role: "boss" }), 422, "invalid_request"),
        wrong({ email: "invalid", role: "unknown_value" })
      )
      assert.deepStrictEqual(
        refusedAs(yield* send("POST", members, {}), 422, "invalid_request"),
        wrong({ email: "required", role: "required" })
      )
      for (const body of [{}, { role: null }, { role: "boss" }])
        refusedAs(yield* send("PATCH", `${members}/${userId}`, body), 422, "invalid_request")
      refusedAs(yield* send("GET", `${members}?role=owner`), 422, "invalid_request")
      assert.lengthOf(yield* messagesTo("nobody"), 0)
      assert.deepStrictEqual(yield* roles, { [String(userId)]: "owner" })
    })
  )

  it.effect("a user of another business is no member, on every route", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { send } = yield* ownedBusiness(server)
      const other = yield* ownedBusiness(server)
      for (const id of [String(other.userId), "999999999", "x", "0"]) {
        refusedAs(yield* send("PATCH", `${members}/${id}`, { role: "viewer" }), 404, "not_found")
        refusedAs(yield* send("DELETE", `${members}/${id}`), 404, "not_found")
      }
      assert.deepStrictEqual(yield* other.roles, { [String(other.userId)]: "owner" })
    })
  )

  it.effect("the only owner is neither removed nor given another role", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, send, userId } = yield* ownedBusiness(server)
      const viewer = yield* newMember(server, businessId, "viewer")
      refusedAs(yield* send("DELETE", `${members}/${userId}`), 409, "conflict")
      refusedAs(yield* send("PATCH", `${members}/${userId}`, { role: "viewer" }), 409, "conflict")
      assert.deepInclude(record(yield* send("PATCH", `${members}/${userId}`, { role: "owner" })), {
        role: "owner"
      })
      assert.deepInclude(record(yield* send("PATCH", `${members}/${viewer.userId}`, { role: "owner" })), {
        role: "owner"
      })
      assert.deepStrictEqual(record(yield* send("DELETE", `${members}/${userId}`)), { deleted: true })
      const rest = yield* server.send("GET", members, { credential: viewer.token, business: businessId })
      assert.deepStrictEqual(
        records(rest).map(({ role, user_id }) => [user_id, role]),
        [[viewer.userId, "owner"]]
      )
      refusedAs(yield* send("GET", members), 403, "forbidden")
    })
  )

  it.effect("a super-admin does not unassign the only owner, also if several unassign owners at once", () =>
    Effect.gen(function* () {
      const nodes = [yield* openServer(), yield* openServer()] as const
      const root = yield* superAdmin(nodes[0])
      const { businessId, roles, send, token, userId } = yield* ownedBusiness(nodes[0])
      const unassign = (server: TestServer, person: number) =>
        server.send("POST", `/admin/users/${person}/business-assignment`, {
          credential: root.token,
          body: { business_id: businessId, action: "unassign" }
        })
      refusedAs(yield* unassign(nodes[0], userId), 409, "conflict")
      assert.deepStrictEqual(yield* roles, { [userId]: "owner" })
      const viewer = yield* newMember(nodes[0], businessId, "viewer")
      record(yield* unassign(nodes[0], viewer.userId))
      const sql = yield* SqlClient.SqlClient
      for (let round = 0; round < 3; round++) {
        const second = yield* newMember(nodes[0], businessId, "owner")
        const answers = yield* Effect.all(
          [
            unassign(nodes[0], second.userId),
            unassign(nodes[1], userId),
            nodes[1].send("DELETE", `${members}/${second.userId}`, {
              credential: token,
              business: businessId
            })
          ],
          { concurrency: "unbounded" }
        )
        for (const { status, text } of answers) assert.include([200, 403, 404, 409], status, text)
        const owners = yield* sql<{ user_id: number }>`
          SELECT user_id FROM business_members WHERE business_id = ${businessId} AND role = 'owner'`
        assert.isAtLeast(owners.length, 1)
        yield* sql`DELETE FROM business_members WHERE business_id = ${businessId}`
        yield* assign(businessId, userId)
      }
      record(yield* send("GET", members))
    })
  )

  it.effect("owners who remove or demote each other at once leave an owner", () =>
    Effect.gen(function* () {
      const nodes = [yield* openServer(), yield* openServer()] as const
      const sql = yield* SqlClient.SqlClient
      for (const how of ["remove", "demote", "both", "themselves"] as const) {
        const { businessId, token, userId } = yield* ownedBusiness(nodes[0])
        const second = yield* newMember(nodes[0], businessId, "owner")
        const third = yield* newMember(nodes[0], businessId, "owner")
        const owners = [{ token, userId }, second, third]
        const answers = yield* Effect.forEach(
          owners,
          (owner, at) => {
            const target = how === "themselves" ? owner : owners[(at + 1) % 3]
            const path = `${members}/${String(target?.userId)}`
            const ask = { credential: owner.token, business: businessId }
            const server = nodes[at % 2] ?? nodes[0]
            return how === "demote" || (how === "both" && at === 1)
              ? server.send("PATCH", path, { ...ask, body: { role: "viewer" } })
              : server.send("DELETE", path, ask)
          },
          { concurrency: "unbounded" }
        )
        for (const { status, text } of answers) assert.include([200, 403, 409], status, text)
        const [count] = yield* sql<{ owners: number }>`
          SELECT count(*)::int AS owners FROM business_members WHERE business_id = ${businessId} AND role = 'owner'`
        assert.isAtLeast(count?.owners ?? 0, 1, how)
      }
    })
  )

  it.effect(
    "a removed or demoted member stops acting at once here, and within a second on another node",
    () =>
      Effect.gen(function* () {
        const [here, there] = [yield* openServer(), yield* openServer()]
        const { businessId, send } = yield* ownedBusiness(here)
        const removed = yield* newMember(here, businessId, "dispatcher")
        const demoted = yield* newMember(here, businessId, "dispatcher")
        const write = (server: TestServer, { token }: { readonly token: string }) =>
          Effect.map(
            server.send("POST", "/customers", {
              credential: token,
              business: businessId,
              body: { name: "Ada" }
            }),
            ({ status }) => status
          )
        for (const server of [here, there])
          assert.deepStrictEqual([yield* write(server, removed), yield* write(server, demoted)], [201, 201])
        record(yield* send("DELETE", `${members}/${removed.userId}`))
        record(yield* send("PATCH", `${members}/${demoted.userId}`, { role: "viewer" }))
        assert.deepStrictEqual([yield* write(here, removed), yield* write(here, demoted)], [403, 403])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual([yield* write(there, removed), yield* write(there, demoted)], [403, 403])
      })
  )

  it.effect("a stale If-Match changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const { businessId, roles, send } = yield* ownedBusiness(server)
      const viewer = yield* newMember(server, businessId, "viewer")
      const path = `${members}/${viewer.userId}`
      const changed = yield* send("PATCH", path, { role: "dispatcher" })
      const etag = changed.headers.get("etag") ?? ""
      yield* send("PATCH", path, { role: "accountant" })
      refusedAs(yield* send("PATCH", path, { role: "owner" }, { "if-match": etag }), 409, "conflict")
      refusedAs(yield* send("DELETE", path, undefined, { "if-match": etag }), 409, "conflict")
      assert.deepInclude(yield* roles, { [String(viewer.userId)]: "accountant" })
    })
  )

  it.effect("every change is in the audit log", () =>
    Effect.gen(function* () {
      const server = yield* openServer()
      const sql = yield* SqlClient.SqlClient
      const { businessId, send, userId } = yield* ownedBusiness(server)
      const { email } = newcomer()
      yield* send("POST", members, { email, role: "viewer" })
      const { user_id } = record(yield* accept(server, yield* codeFor(email)))
      yield* send("PATCH", `${members}/${String(user_id)}`, { role: "accountant" })
      yield* send("DELETE", `${members}/${String(user_id)}`)
      const audit = yield* sql`
        SELECT action, actor, before, after FROM audit_log
        WHERE business_id = ${businessId} AND action LIKE 'member.%' ORDER BY audit_id`
      const actor = `user:${userId}`
      assert.deepStrictEqual(audit, [
        { action: "member.invited", actor, before: null, after: { email, role: "viewer" } },
        {
          action: "member.joined",
          actor: `user:${String(user_id)}`,
          before: null,
          after: { role: "viewer" }
        },
        { action: "member.role_changed", actor, before: { role: "viewer" }, after: { role: "accountant" } },
        { action: "member.removed", actor, before: { role: "accountant" }, after: null }
      ])
    })
  )
})
