/**
 * A price list as a CSV text: a line for each route, and a column for each vehicle class (docs/api/fares.md). Its prices become the
 * fixed prices of a tariff.
 */
import { Effect, Option, Schema, Stream } from "effect"
import * as Csv from "effect/encoding/Csv"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { FieldIssue, Issue } from "../../kernel/fields/FieldIssue.ts"
import * as Money from "../../kernel/money/Money.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { ClassRates, FixedPrice, maxFixedPrices } from "../rules/Rates.ts"
import { maxClasses, type Tariff } from "../rules/Tariff.ts"
import { Amount } from "../rules/TariffFields.ts"
import { maxPriceListLength, type PriceListTerms } from "./PriceListTerms.ts"

const directions = ["either", "one_way"] as const
type Direction = (typeof directions)[number]
const isDirection = (word: string): word is Direction => (directions as ReadonlyArray<string>).includes(word)
const isClass = Schema.is(VehicleClass)

/** The columns beside those of the classes. */
const routeColumns = ["zone", "from", "to", "direction", "name"] as const

/** A fault of a line, with its reason in words. */
interface Fault extends FieldIssue {
  readonly reason: string
}

const faultOf = (line: number, column: string | null, issue: Issue, reason: string): Fault => ({
  field: column === null ? `lines.${line}` : `lines.${line}.${column}`,
  issue,
  reason: `line ${line}: ${reason}`
})

/** The most faults that the message explains; the details name all of them. */
const explained = 10

const refused = (faults: ReadonlyArray<Fault>) =>
  new InvalidInput({
    issues: faults.map(({ field, issue }) => ({ field, issue })),
    advice: `Nothing was stored. ${faults
      .slice(0, explained)
      .map(({ reason }) => reason)
      .join("; ")}`
  })

/** A line of the text: its number, and its cells without the spaces around them. */
interface Line {
  readonly number: number
  readonly cells: ReadonlyArray<string>
}

/** The most frequent of the usual delimiters in the first line. */
const delimiterOf = (csv: string) => {
  const [first = ""] = csv.split(/\r\n|\r|\n/u, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return [";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best), ",")
}

/** The lines that are not blank. A cell in quotes may contain line breaks. */
const linesOf = Effect.fnUntraced(function* (csv: string) {
  const rows = yield* Stream.make(csv).pipe(
    Stream.pipeThroughChannel(Csv.decodeString({ delimiter: delimiterOf(csv), ignoreEmptyLines: false })),
    Stream.runCollect,
    Effect.mapError(({ line, message }) => refused([faultOf(line, null, "invalid", message)]))
  )
  const lines: Array<Line> = []
  let number = 1
  for (const row of rows) {
    const cells = row.map((cell) => cell.trim())
    if (cells.some((cell) => cell !== "")) lines.push({ number, cells })
    number += 1 + row.join("").split(/\r\n|\r|\n/u).length - 1
  }
  return lines
})

/** An amount with a decimal point or a decimal comma, and apostrophes or spaces between the thousands. */
const amountIn = (cell: string, { currency }: Tariff): number | undefined => {
  const plain = cell.replaceAll(/['’\s]/gu, "")
  if (!/^\d+(?:[.,]\d+)?$/u.test(plain)) return undefined
  const amount = Number(plain.replace(",", "."))
  return Schema.is(Amount)(amount) && Option.isSome(Money.fromMajor(amount, currency)) ? amount : undefined
}

/** A route with its prices by class. */
interface PricedRoute {
  readonly from: string
  readonly to: string
  readonly direction: Direction
  readonly name: string | null
  readonly amounts: ReadonlyMap<VehicleClass, number>
}

/** The same text for two routes that are the same; the ends of a price for both directions may be exchanged. */
const keyOf = ({ direction, from, to }: Pick<PricedRoute, "from" | "to" | "direction">) =>
  [direction, ...(direction === "either" ? [from, to].toSorted() : [from, to])].join(" ")

/** Reads the routes of a list; fails with every wrong line. */
const routesOf = (
  [header, ...lines]: ReadonlyArray<Line>,
  tariff: Tariff,
  { from: start }: Pick<PriceListTerms, "from">
): Effect.Effect<ReadonlyArray<PricedRoute>, InvalidInput> => {
  if (header === undefined) return Effect.fail(refused([faultOf(1, null, "required", "the list is empty")]))
  const columns = header.cells.map((cell) => cell.toLowerCase())
  const headerFaults = columns.flatMap((column, index) => {
    const isKnown = isClass(column) || (routeColumns as ReadonlyArray<string>).includes(column)
    if (!isKnown)
      return [
        faultOf(header.number, column === "" ? null : column, "unknown_value", `"${column}" is no column`)
      ]
    return columns.indexOf(column) === index
      ? []
      : [faultOf(header.number, column, "invalid", `the column ${column} occurs twice`)]
  })
  const classes = columns.filter(isClass)
  const needed = columns.includes("zone") ? [] : (["from", "to"] as const)
  const missing = [
    ...needed.filter((column) => !columns.includes(column)),
    ...(classes.length === 0 ? ["vehicle_class"] : [])
  ].map((column) => faultOf(header.number, column, "required", `the list has no column ${column}`))
  if (headerFaults.length + missing.length > 0) return Effect.fail(refused([...headerFaults, ...missing]))

  const zoneIds = new Map(
    tariff.zones.flatMap(({ airport, id, name }) =>
      [name, airport ?? id, id].map((text) => [text.toLowerCase(), id] as const)
    )
  )
  const faults: Array<Fault> = []
  const routes: Array<PricedRoute> = []
  const known = new Map<string, number>()
  for (const { cells, number } of lines) {
    const fault = (column: string | null, issue: Issue, reason: string) =>
      void faults.push(faultOf(number, column, issue, reason))
    const before = faults.length
    const cellOf = (column: string) => cells[columns.indexOf(column)] ?? ""
    const zoneIn = (column: string, cell: string) => {
      const id = zoneIds.get(cell.toLowerCase())
      if (cell === "") fault(column, "required", `${column} is empty`)
      else if (id === undefined) fault(column, "not_found", `the tariff has no zone "${cell}"`)
      return id ?? ""
    }
    if (cells.length > columns.length)
      fault(null, "too_long", `it has ${cells.length} cells, and the first line ${columns.length}`)
    const hasZone = columns.includes("zone")
    const from = hasZone ? zoneIn("from", start ?? "") : zoneIn("from", cellOf("from"))
    const to = hasZone ? zoneIn("zone", cellOf("zone")) : zoneIn("to", cellOf("to"))
    const word = cellOf("direction").toLowerCase()
    const direction = isDirection(word) ? word : "either"
    if (word !== "" && !isDirection(word))
      fault("direction", "unknown_value", `the direction is ${directions.join(" or ")}`)
    const name = cellOf("name")
    if (name.length > 100) fault("name", "too_long", "the name has more than 100 characters")
    const amounts = new Map<VehicleClass, number>()
    for (const vehicleClass of classes) {
      const cell = cellOf(vehicleClass)
      if (cell === "") continue
      const amount = amountIn(cell, tariff)
      if (amount === undefined) fault(vehicleClass, "invalid", `"${cell}" is no amount in ${tariff.currency}`)
      else amounts.set(vehicleClass, amount)
    }
    if (faults.length > before) continue
    if (amounts.size === 0) fault(null, "required", "it has no price")
    const key = keyOf({ direction, from, to })
    const earlier = known.get(key)
    if (earlier !== undefined) fault(null, "invalid", `it repeats the route of line ${earlier}`)
    known.set(key, number)
    routes.push({ from, to, direction, name: name === "" ? null : name, amounts })
  }
  if (faults.length > 0) return Effect.fail(refused(faults))
  return routes.length > 0
    ? Effect.succeed(routes)
    : Effect.fail(refused([faultOf(header.number + 1, null, "required", "the list has no prices")]))
}

/** Whether a price holds at any time and for all types of trip, as the prices of a list do. */
const isUnconditional = ({ trip_types, when }: FixedPrice) => trip_types.length === 0 && when.length === 0

/** The rates of a class with the prices of a list. */
const withPrices = (
  rates: ClassRates,
  routes: ReadonlyArray<PricedRoute>,
  isReplaced: boolean
): ClassRates => {
  const priced = new Map(
    routes.flatMap((route) => {
      const amount = route.amounts.get(rates.vehicle_class)
      return amount === undefined ? [] : [[keyOf(route), { ...route, amount }] as const]
    })
  )
  const kept = rates.fixed.flatMap((price) => {
    if (!isUnconditional(price)) return [price]
    const listed = priced.get(keyOf(price))
    if (listed === undefined) return isReplaced ? [] : [price]
    priced.delete(keyOf(price))
    return [{ ...price, amount: listed.amount, name: listed.name ?? price.name }]
  })
  const added = [...priced.values()].map(({ amount, direction, from, name, to }) =>
    FixedPrice.make({ from, to, direction, name, amount })
  )
  return { ...rates, fixed: [...kept, ...added] }
}

/**
 * The tariff with the prices of a list. The price of a route that the tariff has already is replaced and keeps its id and the steps
 * that it includes; other prices stay. An empty cell changes nothing. A class that the tariff lacks is added. `InvalidInput` names
 * every wrong line by its number in the text, and the message gives the reasons of the first ones.
 */
export const pricesOfList = Effect.fnUntraced(function* (
  tariff: Tariff,
  csv: string,
  { from, replace }: Omit<PriceListTerms, "valid_from">
): Effect.fn.Return<Tariff, InvalidInput> {
  if (csv.length > maxPriceListLength)
    return yield* new InvalidInput({ issues: [{ field: "file", issue: "too_long" }] })
  const routes = yield* routesOf(yield* linesOf(csv), tariff, { from })
  const listed = new Set(routes.flatMap(({ amounts }) => [...amounts.keys()]))
  const known = new Set(tariff.classes.map(({ vehicle_class }) => vehicle_class))
  const added = [...listed]
    .filter((vehicleClass) => !known.has(vehicleClass))
    .map((vehicle_class) => ClassRates.make({ vehicle_class }))
  const classes = [...tariff.classes, ...added].map((rates) =>
    listed.has(rates.vehicle_class) ? withPrices(rates, routes, replace) : rates
  )
  if (classes.length > maxClasses || classes.some(({ fixed }) => fixed.length > maxFixedPrices))
    return yield* new InvalidInput({
      issues: [{ field: "file", issue: "too_long" }],
      advice: `A class has at most ${maxFixedPrices} fixed prices`
    })
  return { ...tariff, classes }
})
