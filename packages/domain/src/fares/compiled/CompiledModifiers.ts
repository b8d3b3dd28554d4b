/** The modifiers of a tariff in compiled form: amounts in minor units, zones as positions. */
import type * as Rules from "../rules/Modifiers.ts"
import type { ArrivalKind } from "../../trips/trip/RideInputs.ts"
import type { Modifiers, TimeModifier } from "../rules/Modifiers.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { type CompiledRule, conditionalFirst, type TariffReader } from "./TariffReader.ts"

/** A percentage, or an amount in minor units. */
export type Charge = { readonly percent: number } | { readonly minor: number }

/** A rule with a charge. */
export type CompiledCharge = CompiledRule & { readonly charge: Charge }

/** Rules of a step with its own figures. */
type With<Figures> = ReadonlyArray<CompiledRule & Figures>

/** The rules of every step; rules with conditions come first. */
export interface CompiledModifiers {
  readonly night: ReadonlyArray<CompiledCharge>
  readonly dates: ReadonlyArray<CompiledCharge>
  readonly airport: With<{ readonly zone: number | null; readonly pickup: number; readonly dropoff: number }>
  readonly meetAndGreet: With<{ readonly minor: number }>
  readonly stops: With<{
    readonly included: number
    readonly minor: number
    readonly freeMinutes: number
    readonly minute: number
  }>
  readonly childSeats: With<{
    readonly types: ReadonlySet<string> | null
    readonly minors: ReadonlyArray<number>
  }>
  readonly passengers: With<{
    readonly from: number
    readonly to: number
    readonly each: boolean
    readonly charge: Charge
  }>
  readonly luggage: With<{ readonly beyond: number; readonly minor: number }>
  readonly waiting: With<{
    readonly arrivals: ReadonlySet<ArrivalKind> | null
    readonly freeMinutes: number
    readonly minor: number
    readonly perMinutes: number
  }>
  readonly tolls: With<{
    readonly from: number | null
    readonly to: number | null
    readonly oneWay: boolean
    readonly minor: number
  }>
  readonly gratuity: ReadonlyArray<CompiledCharge>
  readonly lateCancellation: With<{ readonly steps: ReadonlyArray<CompiledCancellation> }>
  readonly noShow: ReadonlyArray<CompiledCharge>
  readonly minimum: With<{ readonly minor: number }>
  readonly rounding: {
    readonly id: string
    readonly minor: number
    readonly mode: "nearest" | "up" | "down"
  } | null
  readonly tax: {
    readonly included: boolean
    /** The steps without tax. They include the rounding, because it rounds taxed and exempt steps together. */
    readonly exempt: ReadonlySet<FareStep>
    readonly rates: ReadonlyArray<{
      readonly id: string
      readonly name: string | null
      readonly percent: number
    }>
  } | null
}

/** A step of a cancellation: exactly one of the two limits is set. */
export interface CompiledCancellation {
  readonly withinMinutes: number | null
  readonly withinDays: number | null
  readonly charge: Charge
}

interface SentCharge {
  readonly percent: number | null
  readonly amount: number | null
}

/** The functions that compile the rules of lists; `path` is the path of the modifiers in the tariff. */
const ruleCompilers = (reader: TariffReader, path: string) => {
  const chargeOf = (at: string, sent: SentCharge): Charge => {
    reader.charge(at, sent)
    return sent.percent !== null
      ? { percent: sent.percent }
      : { minor: reader.minor(`${at}.amount`, sent.amount ?? 0) }
  }

  /** Compiles every rule of a list, with its own figures. */
  const rulesOf = <R extends Parameters<TariffReader["rule"]>[1], Figures>(
    list: keyof Modifiers,
    rules: ReadonlyArray<R>,
    figures: (rule: R, at: string) => Figures
  ) =>
    conditionalFirst(
      rules.map((rule, index) => {
        const at = `${path}.${list}.${index}`
        return { ...reader.rule(at, rule, `${list}:${index + 1}`), ...figures(rule, at) }
      })
    )

  const chargeRules = (list: "gratuity" | "no_show", rules: ReadonlyArray<typeof Rules.ChargeRule.Type>) =>
    rulesOf(list, rules, (rule, at) => ({ charge: chargeOf(at, rule) }))

  const timeRules = (list: "night" | "dates", rules: ReadonlyArray<TimeModifier>) =>
    rulesOf(list, rules, (rule, at) => {
      if (rule.when.length === 0) reader.refuse(`${at}.when`, "required")
      return { charge: chargeOf(at, rule) }
    })

  const amountRules = (
    list: "meet_and_greet" | "minimum",
    rules: ReadonlyArray<typeof Rules.AmountRule.Type>
  ) => rulesOf(list, rules, ({ amount }, at) => ({ minor: reader.minor(`${at}.amount`, amount) }))

  return { chargeOf, rulesOf, chargeRules, timeRules, amountRules }
}

/** The form in which types of child seats are compared: spaces around them, and upper and lower case, do not matter. */
export const seatTypeKey = (type: string): string => type.trim().toLowerCase()

/** The set of a list; null for an empty one, which means any. */
const setOrAny = <T>(list: ReadonlyArray<T>): ReadonlySet<T> | null =>
  list.length === 0 ? null : new Set(list)

/** Compiles a tariff's modifiers; `path` is their path in the tariff. */
export const compileModifiers = (
  reader: TariffReader,
  path: string,
  modifiers: Modifiers
): CompiledModifiers => {
  const { amountRules, chargeOf, chargeRules, rulesOf, timeRules } = ruleCompilers(reader, path)
  const zoneOrAny = (at: string, id: string | null) => (id === null ? null : reader.zone(at, id))

  return {
    night: timeRules("night", modifiers.night),
    dates: timeRules("dates", modifiers.dates),
    airport: rulesOf("airport", modifiers.airport, ({ dropoff, pickup, zone }, at) => ({
      zone: zoneOrAny(`${at}.zone`, zone),
      pickup: reader.minor(`${at}.pickup`, pickup),
      dropoff: reader.minor(`${at}.dropoff`, dropoff)
    })),
    meetAndGreet: amountRules("meet_and_greet", modifiers.meet_and_greet),
    stops: rulesOf("stops", modifiers.stops, ({ amount, free_minutes, included, per_minute }, at) => ({
      included,
      minor: reader.minor(`${at}.amount`, amount),
      freeMinutes: free_minutes,
      minute: reader.minor(`${at}.per_minute`, per_minute)
    })),
    childSeats: rulesOf("child_seats", modifiers.child_seats, ({ amounts, types }, at) => {
      if (amounts.length === 0) reader.refuse(`${at}.amounts`, "required")
      return {
        types: setOrAny(types.map(seatTypeKey)),
        minors: amounts.map((amount, index) => reader.minor(`${at}.amounts.${index}`, amount))
      }
    }),
    passengers: rulesOf("passengers", modifiers.passengers, (rule, at) => {
      if (rule.to !== null && rule.to < rule.from) reader.refuse(`${at}.to`, "out_of_range")
      if (rule.each && rule.percent !== null) reader.refuse(`${at}.each`, "invalid")
      return {
        from: rule.from,
        to: rule.to ?? Number.POSITIVE_INFINITY,
        each: rule.each,
        charge: chargeOf(at, rule)
      }
    }),
    luggage: rulesOf("luggage", modifiers.luggage, ({ amount, beyond }, at) => ({
      beyond,
      minor: reader.minor(`${at}.amount`, amount)
    })),
    waiting: rulesOf("waiting", modifiers.waiting, ({ amount, arrivals, free_minutes, per_minutes }, at) => ({
      arrivals: setOrAny(arrivals),
      freeMinutes: free_minutes,
      minor: reader.minor(`${at}.amount`, amount),
      perMinutes: per_minutes
    })),
    tolls: rulesOf("tolls", modifiers.tolls, ({ amount, direction, from, to }, at) => ({
      from: zoneOrAny(`${at}.from`, from),
      to: zoneOrAny(`${at}.to`, to),
      oneWay: direction === "one_way",
      minor: reader.minor(`${at}.amount`, amount)
    })),
    gratuity: chargeRules("gratuity", modifiers.gratuity),
    lateCancellation: rulesOf("late_cancellation", modifiers.late_cancellation, ({ steps }, at) => {
      if (steps.length === 0) reader.refuse(`${at}.steps`, "required")
      return {
        steps: steps.map((step, index) => cancellationStep(reader, `${at}.steps.${index}`, step, chargeOf))
      }
    }),
    noShow: chargeRules("no_show", modifiers.no_show),
    minimum: amountRules("minimum", modifiers.minimum),
    rounding: roundingOf(reader, `${path}.rounding`, modifiers.rounding),
    tax: taxOf(reader, `${path}.tax`, modifiers.tax)
  }
}

const cancellationStep = (
  reader: TariffReader,
  at: string,
  step: typeof Rules.CancellationStep.Type,
  chargeOf: (at: string, sent: SentCharge) => Charge
): CompiledCancellation => {
  if (step.within_minutes === null && step.within_days === null)
    reader.refuse(`${at}.within_minutes`, "required")
  if (step.within_minutes !== null && step.within_days !== null) reader.refuse(`${at}.within_days`, "invalid")
  return { withinMinutes: step.within_minutes, withinDays: step.within_days, charge: chargeOf(at, step) }
}

const roundingOf = (
  reader: TariffReader,
  at: string,
  rounding: Modifiers["rounding"]
): CompiledModifiers["rounding"] =>
  rounding === null
    ? null
    : {
        id: reader.ruleId(at, rounding.id, "rounding:1"),
        minor: Math.max(1, reader.minor(`${at}.to`, rounding.to)),
        mode: rounding.mode
      }

const taxOf = (reader: TariffReader, at: string, tax: Modifiers["tax"]): CompiledModifiers["tax"] => {
  if (tax === null) return null
  if (tax.rates.length === 0) reader.refuse(`${at}.rates`, "required")
  return {
    included: tax.included,
    exempt: new Set<FareStep>(tax.exempt.length === 0 ? [] : [...tax.exempt, "rounding"]),
    rates: tax.rates.map(({ id, name, percent }, index) => ({
      id: reader.ruleId(`${at}.rates.${index}`, id, `tax:${index + 1}`),
      name,
      percent
    }))
  }
}
