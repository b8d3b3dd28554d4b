/** Between which bounds a median lies, from a few measurements of it. */

/** The probability that at most `most` of `count` fair coins show heads. */
const tailOfCoins = (most: number, count: number) => {
  let ways = 1
  let sum = 0
  for (let heads = 0; heads <= most; heads++) {
    sum += ways
    ways = (ways * (count - heads)) / (heads + 1)
  }
  return sum / 2 ** count
}

/**
 * The bounds of the true median: each bound is wrong with a probability of at most 5 %. They are two of the values, because each value is above the
 * true median with a probability of one half, whatever their distribution is (the sign test). They need five values; fewer have no bounds.
 */
export const medianBounds = (
  values: ReadonlyArray<number>
): readonly [low: number, high: number] | undefined => {
  const sorted = values.toSorted((one, other) => one - other)
  let place = -1
  while (2 * (place + 1) < sorted.length && tailOfCoins(place + 1, sorted.length) <= 0.05) place++
  const [low, high] = [sorted[place], sorted[sorted.length - 1 - place]]
  return low === undefined || high === undefined ? undefined : [low, high]
}
