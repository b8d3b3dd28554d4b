/** A compiled tariff: compiled once, used for any number of estimates. */
import { Result } from "effect"
import type { Currency } from "../../kernel/money/Currency.ts"
import { InvalidInput } from "../../kernel/Errors.ts"
import { type CompiledModifiers, compileModifiers } from "./CompiledModifiers.ts"
import { type CompiledClass, compileClass } from "./CompiledRates.ts"
import { Modifiers } from "../rules/Modifiers.ts"
import type { Tariff } from "../rules/Tariff.ts"
import { tariffReader } from "./TariffReader.ts"
import { zoneIssues } from "../rules/Zone.ts"
import { type ZoneIndex, zoneIndex } from "./ZoneIndex.ts"

/** A tariff, compiled. `unit` is its unit of distance in micrometres. */
export interface CompiledTariff {
  readonly version: number
  readonly currency: Currency
  readonly unit: number
  readonly zones: ZoneIndex
  readonly classes: ReadonlyArray<CompiledClass>
  readonly modifiers: CompiledModifiers
}

const noModifiers = Modifiers.make({})

/**
 * Compiles a tariff; `version` is recorded with every estimate. Fails with every field that refers to a missing record,
 * contradicts another field or has more decimals than the currency, among zones, ids, tiers, windows and charges.
 */
export const compileTariff = (
  tariff: Tariff,
  version: number
): Result.Result<CompiledTariff, InvalidInput> => {
  const reader = tariffReader(tariff)
  if (tariff.classes.length === 0) reader.refuse("classes", "required")

  const zoneIds = new Set<string>()
  tariff.zones.forEach((zone, index) => {
    for (const [field, issue] of zoneIssues(zone)) reader.refuse(`zones.${index}.${field}`, issue)
    if (zoneIds.has(zone.id)) reader.refuse(`zones.${index}.id`, "invalid")
    zoneIds.add(zone.id)
  })

  const classNames = new Set<string>()
  const classes = tariff.classes.map((rates, index) => {
    if (classNames.has(rates.vehicle_class)) reader.refuse(`classes.${index}.vehicle_class`, "invalid")
    classNames.add(rates.vehicle_class)
    return compileClass(reader, `classes.${index}`, rates)
  })
  const modifiers = compileModifiers(reader, "modifiers", tariff.modifiers ?? noModifiers)

  return reader.issues.length > 0
    ? Result.fail(new InvalidInput({ issues: reader.issues }))
    : Result.succeed({
        version,
        currency: tariff.currency,
        unit: reader.micrometres(1),
        zones: zoneIndex(tariff.zones),
        classes,
        modifiers
      })
}
