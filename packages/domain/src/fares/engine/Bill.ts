/** The lines of a fare while it is computed, and the sums that percentages apply to. */
import type { CompiledCharge } from "../compiled/CompiledModifiers.ts"
import type { FareLine } from "./Fare.ts"
import type { FareStep } from "../rules/FareStep.ts"
import { percentOf } from "../compiled/Fraction.ts"
import type { CompiledRule, RuleContext } from "../compiled/TariffReader.ts"

/** Adds lines in the order of the steps. Steps that the base price includes are not added. */
export interface Bill {
  readonly includes: ReadonlySet<FareStep>
  readonly lines: ReadonlyArray<FareLine>
  /** Adds a line, unless it is 0. A discount is reduced so that the total does not become negative. */
  readonly add: (line: FareLine) => void
  /** Adds a rule's charge: an amount, or a percentage of `baseMinor`. */
  readonly charge: (
    step: FareStep,
    rule: CompiledCharge,
    baseMinor: number,
    inputs: FareLine["inputs"]
  ) => void
  /** The sum of the lines, except for those of the given steps. */
  readonly sum: (without?: ReadonlySet<FareStep>) => number
  /** Whether the step is charged, because the base price does not include it. */
  readonly charges: (step: FareStep) => boolean
}

/** A bill that starts with the base lines. */
export const makeBill = (base: ReadonlyArray<FareLine>, includes: ReadonlySet<FareStep>): Bill => {
  const lines = [...base]
  let total = base.reduce((sum, { minor }) => sum + minor, 0)
  const add = (line: FareLine) => {
    const minor = Math.max(line.minor, -total)
    if (minor === 0) return
    lines.push(minor === line.minor ? line : { ...line, minor })
    total += minor
  }
  return {
    includes,
    lines,
    add,
    charge: (step, { charge, id, name }, baseMinor, inputs) => {
      add(
        "percent" in charge
          ? {
              step,
              rule: id,
              name,
              inputs: { ...inputs, percent: charge.percent },
              of_minor: baseMinor,
              minor: percentOf(baseMinor, charge.percent)
            }
          : { step, rule: id, name, inputs, of_minor: null, minor: charge.minor }
      )
    },
    sum: (without) =>
      without === undefined
        ? total
        : lines.reduce((sum, { minor, step }) => (without.has(step) ? sum : sum + minor), 0),
    charges: (step) => !includes.has(step)
  }
}

/** The first rule of a step that applies to the trip. */
export const firstApplicable = <R extends CompiledRule>(
  rules: ReadonlyArray<R>,
  context: RuleContext
): R | undefined => rules.find((rule) => rule.applies(context))
