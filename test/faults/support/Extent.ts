/** Whether the tests run with their full counts, which takes long: `npm run test:faults`. */
export const isFull = process.env["LIVERY_FAULTS"] === "full"

/** The full count in `npm run test:faults`, else the small one. */
export const extent = (full: number, small: number): number => (isFull ? full : small)
