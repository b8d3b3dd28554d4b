/** What the server would say to an assignment; nothing is changed. */
import { type Failure, failureOf } from "../../api/Failure.ts"
import { api } from "../Api.ts"
import type { Entry, Warning } from "./state.ts"

/** What the server would answer. */
export interface Verdict {
  readonly warnings: ReadonlyArray<Warning>
  /** Why it would refuse; it may be a refusal that can be confirmed. */
  readonly refusal: Failure | undefined
}

/** Asks the server. Without an answer, such as without a connection, there is no verdict. */
export const tryCrews = async (entries: ReadonlyArray<Entry>): Promise<Verdict | undefined> => {
  try {
    const answers = await api.dispatch.assign(Object.assign([...entries], { dry_run: true }))
    return { warnings: answers.flatMap(({ warnings }) => warnings), refusal: undefined }
  } catch (error) {
    const refusal = failureOf(error)
    return refusal.isPassing ? undefined : { warnings: [], refusal }
  }
}
