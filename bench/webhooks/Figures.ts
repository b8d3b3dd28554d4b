/** A quantile of the values. */
export const quantile = (values: ReadonlyArray<number>, part: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** One line of the report. */
export const report = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** A body as long as a trip's. */
export const bodyOf = (eventId: string): string =>
  JSON.stringify({ id: eventId, type: "trip.created", data: { notes: "x".repeat(600) } })
