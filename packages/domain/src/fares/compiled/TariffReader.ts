/**
 * Helpers for compiling a tariff: amounts in minor units, distances in whole micrometres, zones by position, the ids of
 * rules, and the list of all errors.
 */
import { Option } from "effect"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { FieldIssue, Issue } from "../../kernel/fields/FieldIssue.ts"
import * as Money from "../../kernel/money/Money.ts"
import type { TripType } from "../../trips/trip/TripStatus.ts"
import type { Tariff } from "../rules/Tariff.ts"
import { compileWhen, type LocalTime, type LocalWindow, windowIssues } from "../rules/When.ts"

/** A thousandth of the unit, in micrometres. Distances with three decimals are multiples of it. */
const microsAThousandth = { km: 1_000_000, mi: 1_609_344 } as const

/** The properties of a trip that decide whether a rule applies. */
export interface RuleContext {
  readonly vehicleClass: VehicleClass
  readonly tripType: TripType
  readonly at: LocalTime
}

/** A compiled rule. `conditional`: it does not apply to every trip at any time. */
export interface CompiledRule {
  readonly id: string
  readonly name: string | null
  readonly conditional: boolean
  readonly applies: (context: RuleContext) => boolean
}

interface RuleFields {
  readonly id: string | null
  readonly name: string | null
  readonly when: ReadonlyArray<LocalWindow>
  readonly trip_types: ReadonlyArray<TripType>
  readonly classes?: ReadonlyArray<VehicleClass>
}

/** Reads a tariff and collects its errors; their paths are those of the tariff's fields. */
export interface TariffReader {
  readonly issues: Array<FieldIssue>
  readonly refuse: (path: string, issue: Issue) => void
  /** An amount in minor units; refused if it has more decimals than the currency. */
  readonly minor: (path: string, amount: number) => number
  /** The same for an amount that may be absent. */
  readonly minorOrNull: (path: string, amount: number | null) => number | null
  /** A distance in the tariff's unit, converted to micrometres. */
  readonly micrometres: (distance: number) => number
  /** The position of a zone; refused if no zone has that id. */
  readonly zone: (path: string, id: string) => number
  /** A rule's id: the sent one, else one derived from `subject`, with a number from the second rule on. */
  readonly ruleId: (path: string, id: string | null, subject: string) => string
  readonly rule: (path: string, fields: RuleFields, subject: string) => CompiledRule
  /** Refuses a charge that has both a percentage and an amount, or neither. */
  readonly charge: (
    path: string,
    charge: { readonly percent: number | null; readonly amount: number | null }
  ) => void
}

/** A reader for one tariff. */
export const tariffReader = ({ currency, distance_unit, zones }: Tariff): TariffReader => {
  const issues: Array<FieldIssue> = []
  const sent = new Set<string>()
  const derived = new Map<string, number>()
  const positions = new Map(zones.map(({ id }, index) => [id, index] as const))

  const refuse = (field: string, issue: Issue) => {
    issues.push({ field, issue })
  }
  const minor = (path: string, amount: number) =>
    Option.match(Money.fromMajor(amount, currency), {
      onNone: () => {
        refuse(path, "invalid")
        return 0
      },
      onSome: (money) => money.minor
    })
  const ruleId = (path: string, id: string | null, subject: string) => {
    if (id !== null) {
      if (sent.has(id)) refuse(`${path}.id`, "invalid")
      sent.add(id)
      return id
    }
    const count = (derived.get(subject) ?? 0) + 1
    derived.set(subject, count)
    return count === 1 ? subject : `${subject}#${count}`
  }

  return {
    issues,
    refuse,
    minor,
    minorOrNull: (path, amount) => (amount === null ? null : minor(path, amount)),
    micrometres: (distance) => Math.round(distance * 1000) * microsAThousandth[distance_unit],
    zone: (path, id) => {
      const position = positions.get(id)
      if (position === undefined) refuse(path, "not_found")
      return position ?? -1
    },
    ruleId,
    rule: (path, { classes = [], id, name, trip_types, when }, subject) => {
      when.forEach((window, index) => {
        for (const field of windowIssues(window)) refuse(`${path}.when.${index}.${field}`, "invalid")
      })
      const holdsAt = compileWhen(when)
      const ofClass = classes.length === 0 ? null : new Set(classes)
      const ofType = trip_types.length === 0 ? null : new Set(trip_types)
      return {
        id: ruleId(path, id, subject),
        name,
        conditional: holdsAt !== null || ofType !== null || ofClass !== null,
        applies: ({ at, tripType, vehicleClass }) =>
          (ofClass === null || ofClass.has(vehicleClass)) &&
          (ofType === null || ofType.has(tripType)) &&
          (holdsAt === null || holdsAt(at))
      }
    },
    charge: (path, { amount, percent }) => {
      if (percent === null && amount === null) refuse(`${path}.percent`, "required")
      if (percent !== null && amount !== null) refuse(`${path}.amount`, "invalid")
    }
  }
}

/** Sorts rules with conditions before those without; otherwise the order of the tariff remains. */
export const conditionalFirst = <R extends CompiledRule>(rules: ReadonlyArray<R>): ReadonlyArray<R> => [
  ...rules.filter(({ conditional }) => conditional),
  ...rules.filter(({ conditional }) => !conditional)
]
