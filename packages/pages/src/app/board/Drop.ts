/** A bar was dropped on a row. What the server refuses can be confirmed in a dialog. */
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { assign } from "./Actions.ts"
import type { Job } from "./Jobs.ts"
import { rows } from "./Rows.ts"
import { dialog, type Entry } from "./state.ts"
import { warningsOf } from "./Warnings.ts"
import type { BoardWords } from "./words/en.ts"

/** Assigns; if the server asks for a confirmation, its reasons are shown with the way to confirm. */
const assignOrAsk = async (
  entries: ReadonlyArray<Entry>,
  label: string,
  words: BoardWords
): Promise<void> => {
  try {
    await assign(entries, label, words)
  } catch (error) {
    const failure = failureOf(error)
    const warnings = warningsOf(failure)
    if (warnings.length === 0) toast(failureText(failure, words))
    else dialog.value = { kind: "force", entries, label, warnings }
  }
}

/** What a drop does. */
export const attemptDrop = (entry: Entry, job: Job, over: string, words: BoardWords): Promise<void> => {
  const name = rows.value.find(({ key }) => key === over)?.name
  const label =
    name === undefined
      ? fill(words.unassignedNow, { trip: job.reference })
      : fill(words.assignedTo, { trip: job.reference, driver: name })
  return assignOrAsk([entry], label, words)
}
