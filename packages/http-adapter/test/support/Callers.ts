/** A caller of each kind. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Caller } from "./CallerRows.ts"
import { assignment, driverOf, employ } from "./Drivers.ts"
import { assign, business, operator, setStatus } from "./People.ts"
import type { Ask, TestServer } from "./TestServer.ts"

const setAccountType = Effect.fnUntraced(function* (userId: number, type: "S" | "A") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE users SET account_type = ${type} WHERE user_id = ${userId}`
})

/** The credentials of a caller of each kind. It advances the clock, so that one of them has expired. */
export const callers = Effect.fnUntraced(function* (server: TestServer) {
  const late = yield* operator(server)
  yield* TestClock.adjust("16 minutes")
  const sql = yield* SqlClient.SqlClient
  const [acme, other, several, superAdmin, alone] = [
    yield* business(server),
    yield* business(server),
    yield* operator(server),
    yield* operator(server),
    yield* operator(server)
  ]
  const rootAlone = yield* operator(server)
  const closed = yield* business(server)
  const [driver, roaming, idle, gone] = [
    yield* driverOf(server, acme.businessId),
    yield* driverOf(server, acme.businessId, other.businessId),
    yield* driverOf(server),
    yield* driverOf(server, acme.businessId)
  ]
  const grounded = yield* driverOf(server, closed.businessId)
  const driving = yield* operator(server)
  yield* employ(acme.businessId, driving.userId)
  yield* sql`UPDATE drivers SET deleted_at = now() WHERE user_id = ${gone.userId}`
  const job = yield* assignment(acme.businessId)
  const ended = yield* assignment(acme.businessId)
  yield* sql`UPDATE assignments SET status = 'completed', token_hash = NULL WHERE assignment_id = ${ended.assignmentId}`
  const closedJob = yield* assignment(closed.businessId)
  yield* setAccountType(superAdmin.userId, "S")
  yield* setAccountType(rootAlone.userId, "S")
  yield* sql`DELETE FROM business_members WHERE user_id = ${rootAlone.userId}`
  yield* assign(other.businessId, several.userId)
  const members = {
    dispatcher: yield* operator(server),
    accountant: yield* operator(server),
    viewer: yield* operator(server)
  }
  for (const role of ["dispatcher", "accountant", "viewer"] as const) {
    yield* sql`DELETE FROM business_members WHERE user_id = ${members[role].userId}`
    yield* assign(acme.businessId, members[role].userId, role)
  }
  const watching = yield* operator(server)
  yield* assign(acme.businessId, watching.userId, "viewer")
  yield* sql`DELETE FROM business_members WHERE user_id = ${alone.userId}`
  yield* setStatus(closed.businessId, "D")
  const asks: Record<Caller, Ask & { readonly query?: string }> = {
    unauthenticated: {},
    "a bearer of nonsense": { credential: "nonsense" },
    "a key that never was": { credential: `lvk_${"a".repeat(43)}` },
    "an expired token": { credential: late.token },
    "a driver token that never was": { query: `?token=drv_1_${"a".repeat(43)}` },
    "an API key": { credential: acme.key },
    "an API key with a foreign X-Business-Id": { credential: acme.key, business: other.businessId },
    "a key of a suspended business": { credential: closed.key },
    "an admin of a suspended business": { credential: closed.token },
    "a dispatcher": { credential: members.dispatcher.token },
    "an accountant": { credential: members.accountant.token },
    "a viewer": { credential: members.viewer.token },
    "a viewer of one and owner of another": { credential: watching.token, business: acme.businessId },
    "an admin": { credential: acme.token },
    "a super-admin with a business": { credential: superAdmin.token },
    "a super-admin without a business": { credential: rootAlone.token },
    "a super-admin who names a foreign business": {
      credential: superAdmin.token,
      business: other.businessId
    },
    "an admin of several who names one": { credential: several.token, business: other.businessId },
    "an admin of several who names none": { credential: several.token },
    "an admin who names a foreign business": { credential: acme.token, business: other.businessId },
    "an admin who names a malformed one": { credential: acme.token, business: "one" },
    "an admin without a business": { credential: alone.token },
    "a driver": { credential: driver.token },
    "a driver of a suspended business": { credential: grounded.token },
    "a driver of several who names none": { credential: roaming.token },
    "a driver of several who names one": { credential: roaming.token, business: other.businessId },
    "a driver who names a foreign business": { credential: driver.token, business: other.businessId },
    "a driver who names a malformed one": { credential: driver.token, business: "one" },
    "a driver's account without a driver": { credential: idle.token },
    "a driver whose record was deleted": { credential: gone.token },
    "an admin who drives": { credential: driving.token },
    "a driver token": { query: `?token=${job.token}` },
    "a driver token that has ended": { query: `?token=${ended.token}` },
    "a driver token of a suspended business": { query: `?token=${closedJob.token}` }
  }
  return asks
})
