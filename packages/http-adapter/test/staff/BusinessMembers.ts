/** A business and its members. */
import type { Role } from "@livery/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assign, business, operator } from "../support/People.ts"
import { records, type TestServer } from "../support/TestServer.ts"

/** The password of people who accept an invitation. */
export const password = "correct horse battery"

/** The path of the members. */
export const members = "/business/members"

/** A business, with functions that send its owner's requests. */
export const ownedBusiness = Effect.fnUntraced(function* (server: TestServer) {
  const owner = yield* business(server)
  const send = (method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
    server.send(method, path, {
      credential: owner.token,
      business: owner.businessId,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers })
    })
  const roles = Effect.map(send("GET", members), (answer) =>
    Object.fromEntries(records(answer).map(({ role, user_id }) => [String(user_id), role]))
  )
  return { ...owner, send, roles }
})

/** A user who is a member of that business, and of no other. */
export const newMember = Effect.fnUntraced(function* (server: TestServer, businessId: number, role: Role) {
  const person = yield* operator(server)
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM business_members WHERE user_id = ${person.userId}`
  yield* assign(businessId, person.userId, role)
  return person
})

/** Accepts an invitation by its code. */
export const accept = (server: TestServer, code: string, more: object = {}) =>
  server.send("POST", "/auth/accept-invitation", { body: { code, password, ...more } })
