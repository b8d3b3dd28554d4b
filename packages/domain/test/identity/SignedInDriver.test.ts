import { assert, describe, it } from "@effect/vitest"
import {
  actingDriver,
  type ActingDriver,
  type BearerPrincipal,
  Cryptography,
  type DriverId,
  DriverTokens
} from "@livery/domain"
import { Effect, Layer, Redacted, Result } from "effect"
import { addBusiness } from "../support/Businesses.ts"
import { dispatch } from "../support/Dispatch.ts"
import { business, owned, user } from "../support/People.ts"

const acme = business(1)
const zephyr = business(2)
const sleepy = business(3, { status: "D" })

const drives = (of: typeof acme): ActingDriver => ({
  driver_id: (of.business_id * 10) as DriverId,
  business: of
})

/** A user who may act for one business, and the businesses that the user drives for. */
const person = (
  account: "A" | "S" | "D",
  ...drivesFor: ReadonlyArray<typeof acme>
): readonly [BearerPrincipal, ReadonlyArray<typeof acme>] => [
  {
    _tag: "User",
    sessionId: user(9).sessionId,
    user: { ...user(9).user, account_type: account },
    businesses: [owned(business(9))]
  },
  drivesFor
]

const table = [
  ["an API key drives nothing", [{ _tag: "ApiKey", business: acme }, [acme]], undefined, "Forbidden"],
  ["a driver's account", person("D", acme), undefined, 10],
  ["an administrator with a driver's record", person("A", acme), undefined, 10],
  ["a super-admin with one", person("S", acme), undefined, 10],
  ["an administrator without one", person("A"), undefined, "Forbidden"],
  ["a driver's account without one", person("D"), undefined, "Forbidden"],
  ["one that names a business it acts for and does not drive for", person("A", acme), "9", "Forbidden"],
  ["the only one may be named", person("D", acme), "1", 10],
  ["the header selects the business", person("D", acme, zephyr), "2", 20],
  ["several and no header", person("D", acme, zephyr), undefined, "BusinessRequired"],
  ["another's business", person("D", acme), "2", "Forbidden"],
  ["a header that is no number", person("D", acme), "x", "InvalidInput"],
  ["the only business is suspended", person("D", sleepy), undefined, "AccountSuspended"],
  ["the other of two is suspended", person("D", acme, sleepy), "1", 10]
] as const satisfies ReadonlyArray<
  readonly [string, ReturnType<typeof person>, string | undefined, number | string]
>

describe("the acting driver", () => {
  it.effect.each(table)("%s", ([, [principal, drivesFor], header, expected]) =>
    Effect.gen(function* () {
      const driver = yield* Effect.result(
        actingDriver(principal, () => Effect.succeed(drivesFor.map(drives)), header)
      )
      assert.strictEqual(
        Result.match(driver, {
          onSuccess: ({ driver_id }): number | string => driver_id,
          onFailure: ({ _tag }) => _tag
        }),
        expected
      )
    })
  )
})

const tokenOf = (businessId: number, letter: string) => `drv_${businessId}_${letter.repeat(43)}`

/** Driver 10 of business 1 with the token of `a`s, driver 30 of the suspended business 3 with that of `s`s. */
const tokens = Effect.gen(function* () {
  const { assign, create, addDrivers, layer, store } = yield* dispatch
  addBusiness(store, sleepy.business_id)
  for (const [acting, letter] of [
    [acme, "a"],
    [sleepy, "s"]
  ] as const) {
    const driver = acting.business_id * 10
    addDrivers(acting.business_id, driver)
    const { trip_id } = yield* create({}, acting)
    yield* assign(trip_id, [driver], false, acting)
    const row = store.assignments.find(({ driver_id }) => driver_id === driver)
    assert.isDefined(row)
    const tokenHash = yield* Cryptography.use((it) => it.sha256(tokenOf(acting.business_id, letter)))
    store.assignments.change(row.assignment_id, { tokenHash })
  }
  store.businesses.change(sleepy.business_id, { status: "D" })
  return yield* Layer.build(DriverTokens.layer.pipe(Layer.provide(layer)))
}).pipe(Effect.provide(Cryptography.layerWebCrypto))

describe("a driver token", () => {
  const reporting = Effect.map(
    tokens,
    (context) => (token: string) =>
      DriverTokens.use((it) => it.driver({ _tag: "DriverToken", token: Redacted.make(token) })).pipe(
        Effect.match({
          onSuccess: ({ driver_id }): number | string => driver_id,
          onFailure: ({ _tag }) => _tag
        }),
        Effect.provide(context)
      )
  )

  it.effect("identifies its driver by its hash; any other token is refused", () =>
    Effect.gen(function* () {
      const reported = yield* reporting
      const valid = tokenOf(1, "a")
      assert.strictEqual(yield* reported(valid), 10)
      const others = [
        "",
        "drv_1_a",
        tokenOf(1, "b"),
        tokenOf(2, "a"),
        tokenOf(0, "a"),
        tokenOf(10 ** 16, "a")
      ]
      for (const other of [...others, valid.toUpperCase(), `${valid} `, `${valid}a`, "x".repeat(100_000)])
        assert.strictEqual(yield* reported(other), "Unauthorized", other.slice(0, 60))
    })
  )

  it.effect("of a suspended business is refused", () =>
    Effect.gen(function* () {
      const reported = yield* reporting
      assert.strictEqual(yield* reported(tokenOf(3, "s")), "AccountSuspended")
    })
  )
})
