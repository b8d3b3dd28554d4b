/** The arithmetic of days. */

/** The milliseconds of a day of UTC. */
export const millisADay = 86_400_000

/** The number of days from one `YYYY-MM-DD` to another, both inclusive; less than 1 if they are in the wrong order. */
export const dayCount = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / millisADay + 1
