/** Livery's ports in memory. */
export * as Memory from "./Memory.ts"
export { Store } from "./store/Store.ts"
export type * from "./store/Rows.ts"
export type { Table } from "./store/Table.ts"
