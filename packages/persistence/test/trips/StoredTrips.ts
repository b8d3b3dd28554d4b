/** Trips to store. */
export { insertTrip, newTrip as insert, now, tripOf } from "../../../../test/contract/Given.ts"
