/** Whether the full counts are asked for, which take their time: `npm run test:faults`. */
export const isFull = process.env["LIVERY_FAULTS"] === "full"

/** The full count of something, or the smaller one that every run of the tests has time for. */
export const extent = (full: number, small: number): number => (isFull ? full : small)
