import { assert, describe, it } from "@effect/vitest"
import { type InvalidInput, type PriceListTerms, TariffId, TariffInput, Tariffs } from "@livery/domain"
import { Memory, Store } from "@livery/memory"
import { Effect, Layer } from "effect"
import { addBusiness } from "../support/Businesses.ts"
import { decoded } from "../support/Decoding.ts"
import { business } from "../support/People.ts"

const acting = business(1)
const layer = Layer.provideMerge(Tariffs.layer, Memory.layer)

const zones = [
  { id: "zrh", name: "Zurich airport", kind: "airport", airport: "ZRH" },
  { id: "city", name: "City", kind: "postal", prefixes: ["80"] },
  { id: "lake", name: "Lake, east", kind: "postal", prefixes: ["87"] }
]
const fixed = [
  { id: "old", name: "Airport run", from: "city", to: "zrh", amount: 80, includes: ["night"] },
  { from: "city", to: "zrh", amount: 120, when: [{ weekdays: ["sun"] }] },
  { from: "lake", to: "lake", amount: 30 }
]
const sent = {
  name: "Prices",
  currency: "CHF",
  zones,
  classes: [
    { vehicle_class: "sedan", fixed, distance: [{ base: 10 }] },
    { vehicle_class: "van", fixed: [{ from: "lake", to: "lake", amount: 60 }] }
  ]
}

/** A tariff, and the function that imports a list into it. */
const given = Effect.gen(function* () {
  addBusiness(yield* Store, 1)
  const tariffs = yield* Tariffs
  const { tariff_id } = yield* tariffs.create(acting, decoded(TariffInput, sent))
  const id = TariffId.make(tariff_id)
  const take = (csv: string, terms: Partial<PriceListTerms> = {}) =>
    tariffs.importPrices(acting, id, csv, { from: null, replace: false, ...terms })
  const refusal = (csv: string, terms?: Partial<PriceListTerms>) => Effect.flip(take(csv, terms))
  return { id, refusal, take, tariffs }
})

type Taken = Effect.Success<ReturnType<Effect.Success<typeof given>["take"]>>

/** The fixed prices of a class, each as a line. */
const pricesOf = ({ classes }: Taken, vehicleClass: string) =>
  classes
    .find(({ vehicle_class }) => vehicle_class === vehicleClass)
    ?.fixed.map(({ amount, direction, from, name, to }) =>
      [from, direction === "either" ? "<>" : ">", to, amount, ...(name === null ? [] : [name])].join(" ")
    )

describe("a price list", () => {
  it.effect("sets the prices of its routes, and leaves the others and those with conditions", () =>
    Effect.gen(function* () {
      const { take } = yield* given
      const taken = yield* take(
        "from,to,direction,name,Sedan,VAN,limousine\r\n" +
          "ZRH,City,,,85.50,,\r\n" +
          'lake,"lake, east",either,Round the lake,35,65.05,\r\n' +
          "city,lake,one_way,,40,70,100\r\n"
      )
      assert.strictEqual(taken.version, 2)
      assert.deepStrictEqual(pricesOf(taken, "sedan"), [
        "city <> zrh 85.5 Airport run",
        "city <> zrh 120",
        "lake <> lake 35 Round the lake",
        "city > lake 40"
      ])
      assert.deepStrictEqual(pricesOf(taken, "van"), ["lake <> lake 65.05 Round the lake", "city > lake 70"])
      assert.deepStrictEqual(pricesOf(taken, "limousine"), ["city > lake 100"])
      const [sedan] = taken.classes
      assert.deepInclude(sedan?.fixed[0], { id: "old", includes: ["night"] })
      assert.lengthOf(sedan?.distance ?? [], 1)
    }).pipe(Effect.provide(layer))
  )

  it.effect("of zones has the prices from one zone to each of them", () =>
    Effect.gen(function* () {
      const { refusal, take } = yield* given
      const csv = "zone;sedan;van\ncity;90,50;1'200,00\n\nlake;110;\n"
      const taken = yield* take(csv, { from: "ZRH" })
      assert.deepStrictEqual(pricesOf(taken, "sedan"), [
        "city <> zrh 90.5 Airport run",
        "city <> zrh 120",
        "lake <> lake 30",
        "zrh <> lake 110"
      ])
      assert.deepStrictEqual(pricesOf(taken, "van"), ["lake <> lake 60", "zrh <> city 1200"])
      const { issues } = (yield* refusal(csv)) as unknown as InvalidInput
      assert.deepStrictEqual(issues[0], { field: "lines.2.from", issue: "required" })
    }).pipe(Effect.provide(layer))
  )

  it.effect("replaces the prices that it lacks if it is told to, but those with conditions", () =>
    Effect.gen(function* () {
      const { take } = yield* given
      const taken = yield* take("from\tto\tsedan\ncity\tlake\t40\n", { replace: true })
      assert.deepStrictEqual(pricesOf(taken, "sedan"), ["city <> zrh 120", "city <> lake 40"])
      assert.deepStrictEqual(pricesOf(taken, "van"), ["lake <> lake 60"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("holds from the instant that is sent on, and makes no version if it changes nothing", () =>
    Effect.gen(function* () {
      const { take } = yield* given
      const csv = "from,to,sedan\nlake,lake,30\n"
      assert.strictEqual((yield* take(csv)).version, 1)
      const later = yield* take(csv, { valid_from: "2027-01-01T00:00:00" })
      assert.deepInclude(later, { version: 2, valid_from: "2027-01-01T00:00:00Z" })
      assert.deepInclude(yield* take("from,to,sedan\nlake,lake,31\n"), {
        version: 3,
        valid_from: "2027-01-01T00:00:00Z"
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("with wrong lines is refused with the number and the reason of each, and nothing is stored", () =>
    Effect.gen(function* () {
      const { id, refusal, tariffs } = yield* given
      const { issues, message } = (yield* refusal(
        "from,to,direction,sedan,van\n" +
          "city,Basle,,10,20\n" +
          ",lake,,10,20\n" +
          '"zrh",lake,"both\nways",10,20\n' +
          "zrh,lake,,10.555,-3\n" +
          "zrh,city,,,\n" +
          "zrh,lake,,1,2,3\n" +
          "lake,city,,5,\n" +
          "city,lake,,6,\n"
      )) as unknown as InvalidInput
      assert.deepStrictEqual(
        issues.map(({ field, issue }) => `${field} ${issue}`),
        [
          "lines.2.to not_found",
          "lines.3.from required",
          "lines.4.direction unknown_value",
          "lines.6.sedan invalid",
          "lines.6.van invalid",
          "lines.7 required",
          "lines.8 too_long",
          "lines.10 invalid"
        ]
      )
      assert.include(message, 'line 2: the tariff has no zone "Basle"; line 3: from is empty; ')
      assert.include(message, 'line 6: "10.555" is no amount in CHF; ')
      assert.include(message, "line 10: it repeats the route of line 9")
      assert.strictEqual((yield* tariffs.get(acting, id)).version, 1)
    }).pipe(Effect.provide(layer))
  )

  it.effect("with a wrong first line, a wrong quote or no prices is refused", () =>
    Effect.gen(function* () {
      const { refusal } = yield* given
      const issuesOf = (csv: string) =>
        Effect.map(refusal(csv), (error) =>
          (error as unknown as InvalidInput).issues.map(({ field }) => field)
        )
      assert.deepStrictEqual(yield* issuesOf(""), ["lines.1"])
      assert.deepStrictEqual(yield* issuesOf("from,to,sedan\n\n"), ["lines.2"])
      assert.deepStrictEqual(yield* issuesOf("from,tank,sedan,sedan\n"), [
        "lines.1.tank",
        "lines.1.sedan",
        "lines.1.to"
      ])
      assert.deepStrictEqual(yield* issuesOf("from,to\ncity,lake\n"), ["lines.1.vehicle_class"])
      assert.deepStrictEqual(yield* issuesOf('from,to,sedan\ncity,"lake,1\n'), ["lines.2"])
      assert.deepStrictEqual(yield* issuesOf(`from,to,sedan\n${"x".repeat(1_000_000)}`), ["file"])
    }).pipe(Effect.provide(layer))
  )
})
