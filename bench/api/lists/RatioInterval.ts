/** How exactly the ratio of two quantiles is known. */
import { quantile } from "../../webhooks/Figures.ts"

const draws = 400

const drawn = (values: ReadonlyArray<number>, random: () => number) =>
  values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)

/**
 * The bounds between which the ratio of a quantile of `above` to that of `below` lies with a probability of 90 %, by bootstrap: the
 * ratio is computed for samples that are drawn from the values, with repetition. A p99 of a thousand values depends on the ten
 * slowest, so that the ratio of two of them differs from run to run, even if nothing else does.
 */
export const ratioInterval = (
  above: ReadonlyArray<number>,
  below: ReadonlyArray<number>,
  part: number,
  random: () => number = Math.random
): readonly [low: number, high: number] => {
  const ratios = Array.from(
    { length: draws },
    () => quantile(drawn(above, random), part) / quantile(drawn(below, random), part)
  )
  return [quantile(ratios, 0.05), quantile(ratios, 0.95)]
}
