/** A tariff as sentences: zones, conditions, and modifiers. */
import type { Tariff, TariffWhen } from "@livery/client"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { money } from "../Formats.ts"
import type { RecordField } from "../parts/Record.tsx"
import { className, typeName } from "../trips/Fields.ts"
import type { TariffsWords } from "./words/en.ts"

type Zone = Tariff["zones"][number]
type Class = Tariff["classes"][number]

export const zoneName = ({ zones }: Tariff, id: string): string =>
  zones.find((zone) => zone.id === id)?.name ?? id

/** What belongs to a zone. */
export const zoneText = (
  { airport, kind, points, prefixes, radius_m }: Zone,
  words: TariffsWords
): string => {
  if (kind === "postal") return `${words.postal}: ${prefixes.join(", ")}`
  if (kind === "polygon") return fill(words.polygon, { count: format.number(points.length) })
  return [
    kind === "airport" ? `${words.airport} ${airport ?? ""}`.trim() : words.circle,
    radius_m === null ? "" : fill(words.radius, { distance: format.number(radius_m / 1000) })
  ]
    .filter(Boolean)
    .join(", ")
}

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

const dayName = (day: (typeof days)[number]) =>
  new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" }).format(
    Date.UTC(2024, 0, 1 + days.indexOf(day))
  )

const whenText = ({ dates, from, to, weekdays }: TariffWhen) =>
  [
    weekdays.map(dayName).join(", "),
    from === null && to === null ? "" : `${from ?? "00:00"}–${to ?? "24:00"}`,
    dates.map((date) => (date.to === null ? date.from : `${date.from}–${date.to}`)).join(", ")
  ]
    .filter(Boolean)
    .join(" ")

/** The times and kinds of rides for which a rule holds; empty for all of them. */
const conditionText = (
  { trip_types, when }: Pick<Class["distance"][number], "trip_types" | "when">,
  words: TariffsWords
) =>
  [when.map(whenText).join("; "), trip_types.map((type) => typeName(type, words)).join(", ")]
    .filter(Boolean)
    .join(" · ")

const typed = (value: number | null) =>
  value === null
    ? ""
    : new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 6 }).format(value)

/** The prices of a class: each amount that is edited in place is a field, named by its path. */
export const priceFields = (
  tariff: Tariff,
  index: number,
  words: TariffsWords
): ReadonlyArray<RecordField> => {
  const found = tariff.classes[index]
  if (found === undefined) return []
  const { currency, distance_unit: unit } = tariff
  const price = (path: string, label: string, amount: number | null): RecordField => ({
    name: `classes.${index}.${path}`,
    label,
    kind: "number",
    value: typed(amount),
    shown: money(amount, currency) || words.none
  })
  const fact = (label: string, shown: string): RecordField => ({
    name: label,
    label,
    shown,
    kind: "fixed",
    value: ""
  })
  const named = (rule: Class["distance"][number] | Class["hours"][number], label: string) => {
    const conditions = [rule.name, conditionText(rule, words)].filter(Boolean).join(" · ")
    return conditions === "" ? label : `${label} (${conditions})`
  }
  return [
    ...(found.max_passengers === null
      ? []
      : [fact(words.maxPassengers, format.number(found.max_passengers))]),
    ...(found.max_luggage === null ? [] : [fact(words.maxLuggage, format.number(found.max_luggage))]),
    ...found.fixed.map((rule, at) => {
      const arrow = rule.direction === "either" ? "↔" : "→"
      const conditions = conditionText(rule, words)
      return price(
        `fixed.${at}.amount`,
        `${zoneName(tariff, rule.from)} ${arrow} ${zoneName(tariff, rule.to)}${conditions === "" ? "" : ` (${conditions})`}`,
        rule.amount
      )
    }),
    ...found.distance.flatMap((rule, at) => [
      price(`distance.${at}.base`, named(rule, words.base), rule.base),
      ...rule.tiers.map(({ amount, per, up_to }, tier) =>
        price(
          `distance.${at}.tiers.${tier}.amount`,
          named(
            rule,
            `${per === 1 ? fill(words.perUnit, { unit }) : fill(words.perUnits, { per: format.number(per), unit })}${
              up_to === null ? "" : ` ${fill(words.upTo, { distance: format.number(up_to), unit })}`
            }`
          ),
          amount
        )
      ),
      ...(rule.per_minute === 0
        ? []
        : [price(`distance.${at}.per_minute`, named(rule, words.perMinute), rule.per_minute)])
    ]),
    ...found.hours.flatMap((rule, at) => [
      price(`hours.${at}.per_hour`, named(rule, words.perHour), rule.per_hour),
      ...rule.packages.map(({ amount, minutes }, of) =>
        price(
          `hours.${at}.packages.${of}.amount`,
          named(rule, fill(words.package, { hours: format.number(minutes / 60) })),
          amount
        )
      )
    ]),
    ...found.days.map((rule, at) =>
      price(
        `days.${at}.amount`,
        `${fill(words.perDay, { hours: format.number(rule.hours) })}${rule.name === null ? "" : ` (${rule.name})`}`,
        rule.amount
      )
    )
  ]
}

/** The classes with changed amounts, whose paths begin with `classes`. */
export const withPrices = (
  classes: Tariff["classes"],
  changes: Readonly<Record<string, unknown>>
): Tariff["classes"] => {
  const root = { classes: structuredClone(classes) }
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(".")
    const last = keys.pop() ?? ""
    let place: Record<string, unknown> = root
    for (const key of keys) place = place[key] as Record<string, unknown>
    place[last] = value
  }
  return root.classes
}

const amounts = new Set(["amount", "pickup", "dropoff", "per_minute"])

/** What a field of a rule is called. */
const ruleName = (key: string, words: TariffsWords) =>
  (words as Readonly<Record<string, string>>)[`rule_${key}`] ?? key.replaceAll("_", " ")

const valueText = (key: string, value: unknown, tariff: Tariff, words: TariffsWords): string => {
  if (typeof value === "boolean") return value ? words.yes : words.no
  if (typeof value === "number") {
    if (key === "percent") return `${format.number(value)} %`
    return amounts.has(key) ? money(value, tariff.currency) : format.number(value)
  }
  if (Array.isArray(value)) {
    if (key === "when") return (value as Array<TariffWhen>).map(whenText).join("; ")
    if (key === "classes")
      return (value as Tariff["classes"][number]["vehicle_class"][])
        .map((it) => className(it, words))
        .join(", ")
    if (key === "amounts") return (value as Array<number>).map((it) => money(it, tariff.currency)).join(", ")
    return value
      .map((it) => (typeof it === "object" ? ruleText(it as object, tariff, words) : String(it)))
      .join("; ")
  }
  return zoneName(tariff, String(value))
}

/** A rule of a modifier as a line of names and values. */
const ruleText = (rule: object, tariff: Tariff, words: TariffsWords): string =>
  Object.entries(rule)
    .filter(
      ([key, value]) =>
        key !== "id" && value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0)
    )
    .map(([key, value]) => {
      const text = valueText(key, value, tariff, words)
      return key === "name" || key === "when" || key === "classes" ? text : `${ruleName(key, words)}: ${text}`
    })
    .join(" · ")

/** The modifiers of a tariff: the step, and a line for each rule. */
export const modifierLines = (
  tariff: Tariff,
  words: TariffsWords
): ReadonlyArray<readonly [step: string, lines: ReadonlyArray<string>]> =>
  Object.entries(tariff.modifiers ?? {}).flatMap(([step, rules]) => {
    const lines = (Array.isArray(rules) ? rules : rules === null ? [] : [rules]) as ReadonlyArray<object>
    const name = (words as unknown as Record<string, string>)[`step_${step}`] ?? step
    return lines.length === 0 ? [] : [[name, lines.map((rule) => ruleText(rule, tariff, words))] as const]
  })
