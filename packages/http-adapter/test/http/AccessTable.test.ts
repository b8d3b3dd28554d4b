import {
  Api,
  actsForBusiness,
  type CallerKind,
  documentedOperations,
  listOf,
  objectOf
} from "@livery/contract"
import { type CallerRole, mayDo, type Permission, Role } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { optionalCredential, open, routes } from "../support/DeclaredRoutes.ts"

/** Routes that take the forms of other programs. OpenAPI leaves them out. */
const ofOtherForms = ["GET /api/v1/driver/track", "POST /api/v1/driver/track"]

describe("the matrix of routes and callers", () => {
  it("every route declares its callers, once", () => {
    assert.isAbove(routes.length, 10)
    for (const { callerKinds, name } of routes) assert.lengthOf(callerKinds, open.has(name) ? 0 : 1, name)
  })

  it("every route of a business is in an area of the access table", () => {
    for (const { callerKinds, name, permission } of routes)
      assert.strictEqual(permission !== undefined, callerKinds.some(actsForBusiness), name)
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

  it("OpenAPI's security agrees with the access table", () => {
    const schemes: Record<CallerKind, ReadonlyArray<string>> = {
      business: ["business_credential"],
      user: ["user_token"],
      person: ["user_token"],
      userForBusiness: ["user_token"],
      superAdmin: ["super_admin_token"],
      driver: ["driver_account"],
      driverToken: ["driver_token"],
      publicAuth: [],
      public: [],
      signed: []
    }
    const documented = documentedOperations(OpenApi.fromApi(Api)).map(({ method, operation, path }) => ({
      name: `${method} ${path.replaceAll(/\{(\w+)\}/gu, ":$1").replace(/(?<=.)\/$/u, "")}`,
      schemes: listOf(operation["security"]).flatMap((scheme) => Object.keys(objectOf(scheme)))
    }))
    assert.sameMembers(
      [...documented.map(({ name }) => name), ...ofOtherForms],
      routes.map(({ name }) => name)
    )
    for (const { name, schemes: documentedSchemes } of documented) {
      const callerKinds = routes.find((route) => route.name === name)?.callerKinds ?? []
      assert.deepStrictEqual(
        documentedSchemes,
        optionalCredential.has(name) ? schemes.user : callerKinds.flatMap((kind) => schemes[kind]),
        name
      )
    }
  })
})
