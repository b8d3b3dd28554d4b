/** The statements that break a rule of Citus today. The list may only become shorter. */
import type { CitusRule } from "./CitusRules.ts"

/** A statement by a part of its text, and why it is accepted. */
interface Exception {
  readonly holds: string
  readonly reason: string
}

export const citusExceptions: Readonly<Record<CitusRule, ReadonlyArray<Exception>>> = {
  lock: [],
  update: [],
  returning: [],
  "writing-cte": [],
  exists: [],
  setval: []
}
