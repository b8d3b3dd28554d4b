/**
 * Every route and every kind of caller, from the contract itself: what each cell expects follows from whom the route
 * declares to serve and from the rules of the specification's Authentication, so that a new route has its row at
 * once, and one that declares nothing has none to pass.
 */
import { Api } from "@livery/http-adapter"
import { type CallerRole, mayDo, type Permission, Role } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { actsForBusiness, permissionOf, type Serves, servesOf } from "../src/http/Access.ts"
import { Ports } from "./support/TestPorts.ts"
import { assignment, driverOf, employ } from "./support/Drivers.ts"
import { assign, business, operator, setStatus } from "./support/People.ts"
import { type Answer, type Ask, openWire, type Wire } from "./support/Wire.ts"

/** The routes that serve anyone, uncounted. A new one has to be added here. */
const open = new Set(["GET /health/live", "GET /health/ready"])

/** The public routes that look at a credential all the same (rule 2). */
const looking = new Set(["POST /api/v1/auth/logout"])

interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly serves: ReadonlyArray<Serves>
  readonly permission: Permission | undefined
}

const routes = (() => {
  const found: Array<Route> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replace(/(?<=.)\/$/u, "")
      found.push({
        name: `${endpoint.method} ${path}`,
        method: endpoint.method,
        path: path.replaceAll(/:\w+/gu, "999999999"),
        serves: servesOf(endpoint),
        permission: permissionOf(endpoint, mergedAnnotations)
      })
    }
  })
  return found
})()

/** What a caller gets: served, or refused before anything of the route ran. */
type Cell = "served" | readonly [status: number, type: string]

const served = "served" as const
const unauthorized = [401, "unauthorized"] as const
const forbidden = [403, "forbidden"] as const
const suspended = [403, "account_suspended"] as const
const required = [422, "business_required"] as const
const malformed = [422, "invalid_request"] as const

type Row = Readonly<Record<Serves, Cell>>

const everybody = { publicAuth: served, public: served, signed: served } as const
const unauthenticated: Row = {
  ...everybody,
  business: unauthorized,
  user: unauthorized,
  userForBusiness: unauthorized,
  superAdmin: unauthorized,
  driver: unauthorized,
  driverToken: unauthorized
}
/** A user who drives for no business. */
const person: Row = {
  ...unauthenticated,
  business: served,
  user: served,
  userForBusiness: served,
  superAdmin: forbidden,
  driver: forbidden
}
/** A super-admin. Routes of administration ignore the acting business. */
const superAdminRow: Row = { ...person, superAdmin: served }
const personRefused = (refusal: Cell): Row => ({ ...person, business: refusal, userForBusiness: refusal })
const keyHolder: Row = {
  ...unauthenticated,
  business: served,
  user: forbidden,
  userForBusiness: forbidden,
  superAdmin: forbidden,
  driver: forbidden
}
const driverOnly = (cell: Cell): Row => ({
  ...unauthenticated,
  business: forbidden,
  user: forbidden,
  userForBusiness: forbidden,
  superAdmin: forbidden,
  driver: cell
})

/** Each kind of caller and what it gets, by whom a route serves. */
const expectations = {
  // Rules 1 and 13.
  unauthenticated,
  "a bearer of nonsense": unauthenticated,
  "a key that never was": unauthenticated,
  // Rule 10.
  "an expired token": unauthenticated,
  "a driver token that never was": unauthenticated,
  // Rules 1 and 2.
  "an API key": keyHolder,
  // A key names its business by itself.
  "an API key with a foreign X-Business-Id": keyHolder,
  // Rule 6.
  "a key of a suspended business": { ...keyHolder, business: suspended },
  "an admin of a suspended business": personRefused(suspended),
  // Roles of members: each gets a role's rights, by the area of the route.
  "a dispatcher": person,
  "an accountant": person,
  "a viewer": person,
  "a viewer of one and owner of another": person,
  // Rule 3.
  "an admin": person,
  "a super-admin with a business": superAdminRow,
  // Rule 11.
  "a super-admin without a business": { ...superAdminRow, business: forbidden, userForBusiness: forbidden },
  "a super-admin who names a foreign business": {
    ...superAdminRow,
    business: forbidden,
    userForBusiness: forbidden
  },
  "an admin of several who names one": person,
  "an admin of several who names none": personRefused(required),
  "an admin who names a foreign business": personRefused(forbidden),
  "an admin who names a malformed one": personRefused(malformed),
  "an admin without a business": personRefused(forbidden),
  // Rule 12.
  "a driver": driverOnly(served),
  "a driver of a suspended business": driverOnly(suspended),
  "a driver of several who names none": driverOnly(required),
  "a driver of several who names one": driverOnly(served),
  "a driver who names a foreign business": driverOnly(forbidden),
  "a driver who names a malformed one": driverOnly(malformed),
  "a driver's account without a driver": driverOnly(forbidden),
  "a driver whose record was deleted": driverOnly(forbidden),
  "an admin who drives": { ...person, driver: served },
  "a driver token": { ...unauthenticated, driverToken: served },
  "a driver token that has ended": unauthenticated,
  "a driver token of a suspended business": { ...unauthenticated, driverToken: suspended }
} satisfies Record<string, Row>

type Caller = keyof typeof expectations

/** The callers who are not owners of the business that they act for. */
const roles: Partial<Record<Caller, CallerRole>> = {
  "an API key": "api_key",
  "an API key with a foreign X-Business-Id": "api_key",
  "a dispatcher": "dispatcher",
  "an accountant": "accountant",
  "a viewer": "viewer",
  "a viewer of one and owner of another": "viewer"
}

/** The expectation for a caller whom the route serves by its kind, and whom the access table may refuse. */
const expectedOf = (caller: Caller, serves: Serves, { permission }: Route): Cell => {
  const row: Row = expectations[caller]
  const expected = row[serves]
  if (expected !== served || !actsForBusiness(serves)) return expected
  return permission !== undefined && mayDo(roles[caller] ?? "owner", permission) ? served : forbidden
}

const setAccountType = Effect.fnUntraced(function* (userId: number, type: "S" | "A") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE users SET account_type = ${type} WHERE user_id = ${userId}`
})

/** One of each kind. */
const callers = Effect.fnUntraced(function* (wire: Wire) {
  const late = yield* operator(wire)
  yield* TestClock.adjust("16 minutes")
  const sql = yield* SqlClient.SqlClient
  const [acme, other, several, superAdmin, alone] = [
    yield* business(wire),
    yield* business(wire),
    yield* operator(wire),
    yield* operator(wire),
    yield* operator(wire)
  ]
  const rootAlone = yield* operator(wire)
  const closed = yield* business(wire)
  const [driver, roaming, idle, gone] = [
    yield* driverOf(wire, acme.businessId),
    yield* driverOf(wire, acme.businessId, other.businessId),
    yield* driverOf(wire),
    yield* driverOf(wire, acme.businessId)
  ]
  const grounded = yield* driverOf(wire, closed.businessId)
  const driving = yield* operator(wire)
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
  const staff = {
    dispatcher: yield* operator(wire),
    accountant: yield* operator(wire),
    viewer: yield* operator(wire)
  }
  for (const role of ["dispatcher", "accountant", "viewer"] as const) {
    yield* sql`DELETE FROM business_members WHERE user_id = ${staff[role].userId}`
    yield* assign(acme.businessId, staff[role].userId, role)
  }
  const watching = yield* operator(wire)
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
    "a dispatcher": { credential: staff.dispatcher.token },
    "an accountant": { credential: staff.accountant.token },
    "a viewer": { credential: staff.viewer.token },
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

const names = Object.keys(expectations) as ReadonlyArray<Caller>

/** The body is empty: what is served is refused for that, or does nothing that lasts. */
const askFor = (
  wire: Wire,
  { method, path }: Route,
  { query = "", ...ask }: Ask & { readonly query?: string }
) => wire.sendTo(method, `${path}${query}`, method === "GET" ? ask : { ...ask, body: {} })

const refusalOf = ({ body, status }: Answer): string => [status, body.error?.type ?? ""].join(" ")

const isKeyLike = (credential: string | undefined) => credential?.startsWith("lvk_") === true

const refusals = [unauthorized, forbidden, suspended, required].map((refusal) => refusal.join(" "))

/** Served is: whatever the route itself has to say. */
const assertServed = (cell: string, answer: Answer) => {
  assert.notInclude(refusals, refusalOf(answer), cell)
  assert.isFalse([405, 429, 500].includes(answer.status), `${cell}: ${answer.text}`)
  assert.notDeepInclude(answer.body.error?.details ?? [], { field: "X-Business-Id", issue: "invalid" }, cell)
  assert.notStrictEqual(answer.body.error?.message, "No such route", cell)
}

const assertRefused = (cell: string, refusal: readonly [number, string], answer: Answer) => {
  assert.strictEqual(refusalOf(answer), refusal.join(" "), cell)
  const { details } = answer.body.error ?? {}
  if (refusal === malformed)
    assert.deepStrictEqual(details, [{ field: "X-Business-Id", issue: "invalid" }], cell)
  else if (refusal === required)
    assert.includeMembers(Object.keys(details?.[0] ?? {}), ["business_id", "business_name"], cell)
  else assert.isUndefined(details, cell)
}

layer(Ports)("the matrix of routes and callers", (it) => {
  it("every route says whom it serves, once", () => {
    assert.isAbove(routes.length, 10)
    for (const { name, serves } of routes) assert.lengthOf(serves, open.has(name) ? 0 : 1, name)
  })

  it("every route that acts for a business is in an area of the access table", () => {
    for (const { name, permission, serves } of routes)
      assert.strictEqual(permission !== undefined, serves.some(actsForBusiness), name)
  })

  it("owners may do everything, dispatchers the operations, accountants the books, viewers only read", () => {
    const areasOf = (role: CallerRole, action: Permission["action"]) =>
      Object.fromEntries(
        routes.flatMap(({ permission }) =>
          permission?.action === action ? [[permission.area, mayDo(role, permission)]] : []
        )
      )
    for (const action of ["read", "write"] as const)
      assert.isTrue(Object.values(areasOf("owner", action)).every(Boolean))
    assert.deepInclude(areasOf("dispatcher", "write"), {
      operations: true,
      customers: true,
      settings: false,
      webhooks: false,
      api_keys: false
    })
    assert.deepInclude(areasOf("accountant", "write"), {
      operations: false,
      customers: true,
      settings: false,
      webhooks: false,
      api_keys: false
    })
    assert.isTrue(Object.values(areasOf("accountant", "read")).every(Boolean))
    assert.isFalse(Object.values(areasOf("viewer", "write")).some(Boolean))
    for (const role of Role.literals)
      assert.deepInclude(areasOf(role, "read"), { operations: true, customers: true })
  })

  it("OpenAPI's security says the same", () => {
    const { paths } = OpenApi.fromApi(Api)
    const schemes: Record<Serves, ReadonlyArray<string>> = {
      business: ["business_credential"],
      user: ["user_token"],
      userForBusiness: ["user_token"],
      superAdmin: ["super_admin_token"],
      driver: ["driver_account"],
      driverToken: ["driver_token"],
      publicAuth: [],
      public: [],
      signed: []
    }
    const methods = ["get", "post", "put", "patch", "delete"] as const
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        return operation === undefined
          ? []
          : [
              {
                name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/gu, ":$1").replace(/(?<=.)\/$/u, "")}`,
                schemes: operation.security.flatMap((scheme) => Object.keys(scheme))
              }
            ]
      })
    )
    assert.sameMembers(
      documented.map(({ name }) => name),
      routes.map(({ name }) => name)
    )
    for (const { name, schemes: documentedSchemes } of documented) {
      const serves = routes.find((route) => route.name === name)?.serves ?? []
      assert.deepStrictEqual(
        documentedSchemes,
        looking.has(name) ? schemes.user : serves.flatMap((serves) => schemes[serves]),
        name
      )
    }
  })

  it.effect("each caller gets of each route what the route declares", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const asks = yield* callers(wire)
      for (const route of routes)
        for (const serves of route.serves) {
          if (serves === "publicAuth" || serves === "public" || serves === "signed") continue
          for (const caller of names) {
            const cell = `${caller}: ${route.name}`
            const expected = expectedOf(caller, serves, route)
            const answer = yield* askFor(wire, route, asks[caller])
            if (expected === served) assertServed(cell, answer)
            else assertRefused(cell, expected, answer)
            assert.isTrue(answer.headers.has("x-ratelimit-remaining"), cell)
          }
        }
    })
  )

  it.effect("a public route ignores credentials", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const asks = yield* callers(wire)
      for (const route of routes.filter(
        ({ serves }) =>
          serves.includes("publicAuth") || serves.includes("public") || serves.includes("signed")
      )) {
        if (looking.has(route.name)) continue
        const stranger = yield* askFor(wire, route, {})
        // A list refuses the parameter `token`, whatever it holds.
        const guest = yield* askFor(wire, route, { query: "?token=nonsense" })
        for (const caller of names)
          assert.strictEqual(
            refusalOf(yield* askFor(wire, route, asks[caller])),
            refusalOf(asks[caller].query === undefined ? stranger : guest),
            `${caller}: ${route.name}`
          )
      }
    })
  )

  it.effect("logging out accepts any user's access token, and no API key", () =>
    Effect.gen(function* () {
      const wire = yield* openWire()
      const asks = yield* callers(wire)
      const logout = (ask: Ask) =>
        Effect.map(wire.send("POST", "/auth/logout", { ...ask, body: {} }), refusalOf)
      const ended = new Set<string | undefined>()
      for (const caller of names) {
        const { credential } = asks[caller]
        const row: Row = expectations[caller]
        const isPerson =
          credential !== undefined &&
          row.driver !== unauthorized &&
          !isKeyLike(credential) &&
          !ended.has(credential)
        const isKey = isKeyLike(credential) && row !== unauthenticated
        const expected = isKey ? "403 forbidden" : "401 unauthorized"
        assert.strictEqual(yield* logout(asks[caller]), isPerson ? "200 " : expected, caller)
        ended.add(credential)
      }
    })
  )
})
