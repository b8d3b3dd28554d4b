import { assert, describe, it } from "@effect/vitest"
import {
  estimateFares,
  type Fare,
  FareEstimateRecord,
  fareEstimateRecord,
  type FareInputs,
  fareSteps,
  Money,
  tariffWarnings
} from "@livery/domain"
import { Option, Schema } from "effect"
import { RandomTrip, randomInputs, randomTariff, Recipe, storedTariff } from "./RandomTariffs.ts"

const many = { arbitrary: { runs: 500 } }
const drawn = { recipe: Recipe, trip: RandomTrip }

/** Lines that a rule may make negative: a discount, and rounding down or to the nearest. */
const mayBeNegative = new Set(["night", "dates", "rounding"])

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const sumOf = ({ lines }: Fare) => lines.reduce((sum, { minor }) => sum + minor, 0)

it.prop(
  "the lines of a fare are whole minor units that sum to its total, which is never negative",
  drawn,
  ({ recipe, trip }) => {
    const tariff = randomTariff(recipe)
    if (tariff === null) return
    for (const fare of estimateFares(tariff, randomInputs(trip)).fares) {
      assert.strictEqual(sumOf(fare), fare.total_minor)
      assert.isAtLeast(fare.total_minor, 0)
      assert.isTrue(Number.isSafeInteger(fare.tax_minor) && fare.tax_minor >= 0)
      for (const { minor, step } of fare.lines) {
        assert.isTrue(Number.isSafeInteger(minor) && !Object.is(minor, -0))
        if (!mayBeNegative.has(step)) assert.isAtLeast(minor, 0, step)
      }
    }
  },
  many
)

/** The same discounts ten times and a hundred times as large, so that they exceed the price of many trips. */
const withDeepDiscounts = <Rule extends { readonly percent: number | null; readonly minor: number }>(
  rules: ReadonlyArray<Rule>
) =>
  rules.map((rule) => ({
    ...rule,
    percent: rule.percent === null ? null : Math.min(rule.percent, 0) * 10,
    minor: Math.min(rule.minor, 0) * 100
  }))

it.prop(
  "a fare is not negative if its discounts exceed its price, and its lines still sum to its total",
  drawn,
  ({ recipe, trip }) => {
    const { dates, night } = recipe
    const tariff = randomTariff({
      ...recipe,
      night: withDeepDiscounts(night),
      dates: withDeepDiscounts(dates)
    })
    if (tariff === null) return
    for (const fare of estimateFares(tariff, randomInputs(trip)).fares) {
      assert.isAtLeast(fare.total_minor, 0)
      assert.strictEqual(sumOf(fare), fare.total_minor)
    }
  },
  many
)

it.prop(
  "the lines of a fare are in the order of the steps",
  drawn,
  ({ recipe, trip }) => {
    const tariff = randomTariff(recipe)
    if (tariff === null) return
    const order = fareSteps.map(({ step }) => step)
    for (const { lines } of estimateFares(tariff, randomInputs(trip)).fares) {
      const positions = lines.map(({ step }) => order.indexOf(step))
      assert.deepStrictEqual(
        positions,
        positions.toSorted((a, b) => a - b)
      )
    }
  },
  many
)

it.prop(
  "the same inputs give the same fare, also when tariff and inputs went through JSON and back",
  drawn,
  ({ recipe, trip }) => {
    const tariff = randomTariff(recipe)
    if (tariff === null) return
    const record = fareEstimateRecord(estimateFares(tariff, randomInputs(trip)))
    const text = JSON.stringify(Schema.encodeSync(FareEstimateRecord)(record))
    const stored = Schema.decodeUnknownSync(FareEstimateRecord)(JSON.parse(text))
    assert.deepStrictEqual(stored, record)
    const again = storedTariff(recipe)
    if (again === null) throw new Error("the tariff was refused the second time")
    assert.deepStrictEqual(fareEstimateRecord(estimateFares(again, stored.inputs)), record)
  },
  many
)

it.prop(
  "the amounts of a record sum to its total in the decimals of the currency",
  drawn,
  ({ recipe, trip }) => {
    const tariff = randomTariff(recipe)
    if (tariff === null) return
    const { currency } = tariff
    const record = fareEstimateRecord(estimateFares(tariff, randomInputs(trip)))
    for (const fare of record.fares) {
      const minors = fare.lines.map(
        ({ amount }) => Option.getOrThrow(Money.fromMajor(amount, currency)).minor
      )
      const total = Option.getOrThrow(Money.fromMajor(fare.total_amount, currency)).minor
      assert.strictEqual(
        minors.reduce((sum, minor) => sum + minor, 0),
        total
      )
    }
  },
  many
)

describe("a longer trip", () => {
  /** Every class that has a fare for both costs at least as much for each of the longer trips. */
  const notCheaper = (recipe: Recipe, shorter: FareInputs, longer: ReadonlyArray<Partial<FareInputs>>) => {
    const tariff = randomTariff(recipe)
    if (tariff === null || tariffWarnings(tariff).length > 0) return
    const inputs: FareInputs = { ...shorter, outcome: "ride", notice: null }
    const { fares } = estimateFares(tariff, inputs)
    for (const more of longer)
      for (const other of estimateFares(tariff, { ...inputs, ...more }).fares) {
        const fare = fares.find(({ vehicle_class }) => vehicle_class === other.vehicle_class)
        if (fare !== undefined) assert.isAtLeast(other.total_minor, fare.total_minor)
      }
  }

  it.prop(
    "is never cheaper for its distance under a tariff without warnings",
    { ...drawn, further: between(1, 200_000) },
    ({ further, recipe, trip }) => {
      const inputs = randomInputs(trip)
      const metres = inputs.distance_m ?? 0
      notCheaper(recipe, inputs, [{ distance_m: metres + 1 }, { distance_m: metres + further }])
    },
    many
  )

  it.prop(
    "is never cheaper for its time under a tariff without warnings",
    { ...drawn, further: between(1, 2000) },
    ({ further, recipe, trip }) => {
      const inputs = randomInputs(trip)
      const minutes = inputs.duration_minutes ?? 0
      notCheaper(recipe, inputs, [{ duration_minutes: minutes + 1 }, { duration_minutes: minutes + further }])
    },
    many
  )

  it.prop(
    "is never cheaper for waiting, tolls, stops, passengers, luggage or child seats",
    { ...drawn, more: between(1, 60) },
    ({ more, recipe, trip }) => {
      const inputs = randomInputs(trip)
      notCheaper(recipe, inputs, [
        { waiting_minutes: inputs.waiting_minutes + more },
        { tolls_minor: inputs.tolls_minor + more },
        { stop_minutes: [...inputs.stop_minutes, more] },
        { luggage: inputs.luggage + more },
        { passengers: inputs.passengers + more },
        { child_seats: [...inputs.child_seats, { type: "infant", count: more }] }
      ])
    },
    many
  )
})
