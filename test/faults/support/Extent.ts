/** Whether the tests run with their full counts, which takes long: `npm run test:faults`. */
export const isFull = process.env["LIVERY_FAULTS"] === "full"

/** The full count, or list of cases, in `npm run test:faults`, else the small one. */
export const extent = <A>(full: A, small: A): A => (isFull ? full : small)
