import { assert, describe, it } from "@effect/vitest"
import {
  actingDriver,
  type ActingDriver,
  type AssignedDriver,
  type AssignmentId,
  type BearerPrincipal,
  Cryptography,
  type DriverId,
  DriverTokenRepository,
  DriverTokens,
  type TripId
} from "@livery/domain"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { business, owned, user } from "../support/People.ts"

const acme = business(1)
const zephyr = business(2)
const sleepy = business(3, { status: "D" })

const drives = (of: typeof acme): ActingDriver => ({
  driver_id: (of.business_id * 10) as DriverId,
  business: of
})

/** A user who may act for one business and drives for others. */
const person = (account: "A" | "S" | "D", ...drivesFor: ReadonlyArray<typeof acme>): BearerPrincipal => ({
  _tag: "User",
  sessionId: user(9).sessionId,
  user: { ...user(9).user, account_type: account },
  businesses: [owned(business(9))],
  drivers: drivesFor.map(drives)
})

const table = [
  ["an API key drives nothing", { _tag: "ApiKey", business: acme }, undefined, "Forbidden"],
  ["a driver's account", person("D", acme), undefined, 10],
  ["an administrator with a driver's record", person("A", acme), undefined, 10],
  ["a super-admin with one", person("S", acme), undefined, 10],
  ["an administrator without one", person("A"), undefined, "Forbidden"],
  ["a driver's account without one", person("D"), undefined, "Forbidden"],
  ["one that names a business it acts for and does not drive for", person("A", acme), "9", "Forbidden"],
  ["the only one may be named", person("D", acme), "1", 10],
  ["the header chooses", person("D", acme, zephyr), "2", 20],
  ["several and no header", person("D", acme, zephyr), undefined, "BusinessRequired"],
  ["another's business", person("D", acme), "2", "Forbidden"],
  ["a header that is no number", person("D", acme), "x", "InvalidInput"],
  ["the only business is suspended", person("D", sleepy), undefined, "AccountSuspended"],
  ["the other of two is suspended", person("D", acme, sleepy), "1", 10]
] as const satisfies ReadonlyArray<readonly [string, BearerPrincipal, string | undefined, number | string]>

describe("the acting driver", () => {
  it.effect.each(table)("%s", ([, principal, header, expected]) =>
    Effect.gen(function* () {
      const driver = yield* Effect.result(actingDriver(principal, header))
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

const assigned = (of: typeof acme): AssignedDriver => ({
  ...drives(of),
  trip_id: 5 as TripId,
  assignment_id: 6 as AssignmentId
})

/** The tokens there are, by their SHA-256. */
const tokens = (held: Readonly<Record<string, AssignedDriver>>) =>
  DriverTokens.layer.pipe(
    Layer.provide(
      Layer.effect(
        DriverTokenRepository,
        Effect.gen(function* () {
          const { sha256 } = yield* Cryptography
          const byHash = new Map<string, AssignedDriver>()
          for (const [token, driver] of Object.entries(held)) byHash.set(yield* sha256(token), driver)
          return DriverTokenRepository.of({
            find: (businessId, hash) =>
              Effect.succeed(
                Option.filter(
                  Option.fromUndefinedOr(byHash.get(hash)),
                  (driver) => driver.business.business_id === businessId
                )
              ),
            findEnded: () => Effect.succeedNone
          })
        })
      )
    ),
    Layer.provide(Cryptography.layerWebCrypto)
  )

const tokenOf = (businessId: number, letter: string) => `drv_${businessId}_${letter.repeat(43)}`

describe("a driver token", () => {
  const reported = (token: string) =>
    DriverTokens.use((it) => it.driver({ _tag: "DriverToken", token: Redacted.make(token) })).pipe(
      Effect.match({
        onSuccess: ({ driver_id }): number | string => driver_id,
        onFailure: ({ _tag }) => _tag
      }),
      Effect.provide(tokens({ [tokenOf(1, "a")]: assigned(acme), [tokenOf(3, "s")]: assigned(sleepy) }))
    )

  it.effect("identifies its driver by its hash; any other token is refused", () =>
    Effect.gen(function* () {
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
      assert.strictEqual(yield* reported(tokenOf(3, "s")), "AccountSuspended")
    })
  )
})
