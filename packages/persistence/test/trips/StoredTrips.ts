/** Trips to store. */
export { newTrip as insert, now, tripOf } from "../../../../test/contract/Given.ts"
