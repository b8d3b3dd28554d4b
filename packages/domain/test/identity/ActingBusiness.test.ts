import { assert, describe, it } from "@effect/vitest"
import { actingBusiness, type BearerPrincipal, signedInUser } from "@livery/domain"
import { Effect, Exit, Result } from "effect"
import { business, owned, user } from "../support/People.ts"

const acme = business(1)
const zephyr = business(2)
const sleepy = business(3, { status: "D" })

const person = (account: "A" | "S" | "D", ...businesses: ReadonlyArray<typeof acme>): BearerPrincipal => ({
  _tag: "User",
  sessionId: user(9).sessionId,
  user: { ...user(9).user, account_type: account },
  businesses: businesses.map(owned)
})
const key = (of: typeof acme): BearerPrincipal => ({ _tag: "ApiKey", business: of })

/** Rules 3, 6 and 12 of the specification's Authentication: the caller, `X-Business-Id`, and the business or the error. */
const table = [
  ["a key acts for its own business", key(acme), undefined, 1],
  ["a key passes no business id", key(acme), "2", 1],
  ["a key of a suspended business is refused", key(sleepy), undefined, "AccountSuspended"],
  ["the only business needs no header", person("A", acme), undefined, 1],
  ["a blank header is no header", person("A", acme), "  ", 1],
  ["the only business may be named", person("A", acme), "1", 1],
  ["the header selects the business", person("A", acme, zephyr), "2", 2],
  ["the header is read without its spaces", person("A", acme, zephyr), " 2 ", 2],
  ["several and no header", person("A", acme, zephyr), undefined, "BusinessRequired"],
  ["several and a blank header", person("A", acme, zephyr), "", "BusinessRequired"],
  ["one active and one suspended are several", person("A", acme, sleepy), undefined, "BusinessRequired"],
  ["another's business", person("A", acme), "2", "Forbidden"],
  ["another's, though it is suspended", person("A", acme), "3", "Forbidden"],
  ["a business that does not exist", person("A", acme, zephyr), "999999999999999", "Forbidden"],
  ["no business yet", person("A"), undefined, "Forbidden"],
  ["no business yet, naming one", person("A"), "1", "Forbidden"],
  ["the only business is suspended", person("A", sleepy), undefined, "AccountSuspended"],
  ["the chosen business is suspended", person("A", acme, sleepy), "3", "AccountSuspended"],
  ["the other of two is suspended", person("A", acme, sleepy), "1", 1],
  ["a super-admin has the same rule", person("S", acme, zephyr), "2", 2],
  ["a driver's account has routes of its own", person("D", acme), "1", "Forbidden"],
  ["a driver's account of a suspended business", person("D", sleepy), undefined, "Forbidden"],
  ["a driver's account and a wrong header", person("D", acme), "x", "Forbidden"],
  ...["x", "0", "-1", "1.0", "1e0", "0x1", "01", "1,2", "1 2", "١", "9".repeat(16)].map(
    (header) => [`the header ${header}`, person("A", acme), header, "InvalidInput"] as const
  )
] as const satisfies ReadonlyArray<readonly [string, BearerPrincipal, string | undefined, number | string]>

describe("actingBusiness", () => {
  it.effect.each(table)("%s", ([, principal, header, expected]) =>
    Effect.gen(function* () {
      const acting = yield* Effect.result(actingBusiness(principal, header))
      assert.strictEqual(
        Result.match(acting, {
          onSuccess: (it) => it.business_id,
          onFailure: (it): number | string => it._tag
        }),
        expected
      )
    })
  )

  it.effect("a user of several businesses who names none gets the list of them", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(actingBusiness(person("A", acme, sleepy), undefined))
      assert.strictEqual(refusal._tag, "BusinessRequired")
      assert.deepStrictEqual(Reflect.get(refusal, "choices"), [
        { business_id: 1, business_name: "Business 1" },
        { business_id: 3, business_name: "Business 3" }
      ])
    })
  )

  it.effect("a malformed header is named as the wrong field", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(actingBusiness(person("A", acme), "x"))
      assert.deepStrictEqual(Reflect.get(refusal, "issues"), [{ field: "X-Business-Id", issue: "invalid" }])
    })
  )
})

describe("signedInUser", () => {
  it.effect("refuses API keys and drivers' accounts", () =>
    Effect.gen(function* () {
      for (const account of ["A", "S"] as const)
        assert.strictEqual((yield* signedInUser(person(account))).user.account_type, account)
      for (const principal of [key(acme), person("D", acme)])
        assert.isTrue(Exit.isFailure(yield* Effect.exit(signedInUser(principal))))
    })
  )
})
