/**
 * Price lists that companies of the trade published, each as a tariff in `price-lists/`, with the page, the day on which it
 * was seen and the figures of that page. `left_out` names the prices of a list that the tariff lacks.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  compileTariff,
  type Currency,
  estimateFares,
  fareInputs,
  type FareInputs,
  FareRequest,
  Money,
  Routing,
  Tariff,
  tariffWarnings,
  defaultRoutingSettings
} from "@livery/domain"
import { Effect, Option, Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { decoded } from "../support/Decoding.ts"

/** A price of a list: totals by class, or the sum of the lines of steps, in major units. */
interface Price {
  readonly what: string
  readonly request: object
  readonly facts?: Partial<FareInputs>
  readonly totals?: Readonly<Record<string, number>>
  readonly lines?: Readonly<Record<string, number>>
  /** The classes that `lines` are of; all unless given. */
  readonly classes?: ReadonlyArray<string>
  readonly unavailable?: Readonly<Record<string, string>>
}

interface PriceList {
  readonly source: { readonly company: string; readonly page: string; readonly seen: string }
  readonly timezone: string
  readonly tariff: object
  readonly prices: ReadonlyArray<Price>
}

const directory = join(import.meta.dirname, "price-lists")
const files = readdirSync(directory).toSorted()

const minor = (amount: number, currency: Currency) =>
  Option.getOrThrow(Money.fromMajor(amount, currency)).minor

describe("published price lists", () => {
  it("are at least ten, of companies that differ, in currencies of 0, 2 and 3 decimals", () => {
    const lists = files.map((file) => JSON.parse(readFileSync(join(directory, file), "utf8")) as PriceList)
    assert.isAtLeast(new Set(lists.map(({ source }) => source.company)).size, 10)
    for (const { source } of lists) {
      assert.match(source.page, /^https?:\/\//u)
      assert.match(source.seen, /^\d{4}-\d{2}-\d{2}$/u)
    }
    const currencies = new Set<string>(lists.map(({ tariff }) => decoded(Tariff, tariff).currency))
    for (const code of ["JPY", "EUR", "OMR"]) assert.isTrue(currencies.has(code), code)
  })

  it.effect.each(files)("%s: the tariff gives the prices of the list", (file) =>
    Effect.gen(function* () {
      const list = JSON.parse(readFileSync(join(directory, file), "utf8")) as PriceList
      const tariff = Result.getOrThrow(compileTariff(decoded(Tariff, list.tariff), 1))
      assert.deepStrictEqual(tariffWarnings(tariff), [])
      const settings = { timezone: list.timezone, routing: defaultRoutingSettings }
      for (const {
        classes,
        facts,
        lines = {},
        request,
        totals = {},
        unavailable = {},
        what
      } of list.prices) {
        const inputs = yield* fareInputs(tariff, decoded(FareRequest, request), settings)
        const estimate = estimateFares(tariff, { ...inputs, ...facts })
        const fares = new Map(estimate.fares.map((fare) => [fare.vehicle_class as string, fare]))
        for (const [name, total] of Object.entries(totals))
          assert.strictEqual(fares.get(name)?.total_minor, minor(total, tariff.currency), `${what}, ${name}`)
        for (const [step, amount] of Object.entries(lines))
          for (const name of classes ?? fares.keys()) {
            const charged = fares.get(name)?.lines.filter((line) => line.step === step)
            const sum = charged?.reduce((sum, line) => sum + line.minor, 0)
            assert.strictEqual(sum, minor(amount, tariff.currency), `${what}, ${name}`)
          }
        const reasons = estimate.unavailable.map(({ reason, vehicle_class }) => [vehicle_class, reason])
        for (const [name, reason] of Object.entries(unavailable))
          assert.deepInclude(reasons, [name, reason], what)
      }
    }).pipe(Effect.provide(Routing.layerGreatCircle))
  )
})
