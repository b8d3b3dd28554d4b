/** The last ten changes, each with the requests that undo it. */
import { failureOf } from "../api/Failure.ts"
import { failureText } from "../components/Failed.tsx"
import { toast } from "../components/Toast.tsx"
import { fill } from "../i18n/Format.ts"
import type { AppWords } from "./words/en.ts"

interface Step {
  readonly label: string
  readonly undo: () => Promise<unknown>
}

const most = 10
let steps: ReadonlyArray<Step> = []

/** Undoes the latest change that can be undone, and says what happened. */
export const undoLast = async (words: AppWords): Promise<void> => {
  const step = steps.at(-1)
  if (step === undefined) return toast(words.nothingToUndo)
  steps = steps.slice(0, -1)
  try {
    await step.undo()
    toast(fill(words.undone, { change: step.label }))
  } catch (error) {
    steps = [...steps, step].slice(-most)
    toast(fill(words.notUndone, { change: step.label, reason: failureText(failureOf(error), words) }))
  }
}

/** Says what was changed, and keeps how to undo it. */
export const changed = (label: string, words: AppWords, undo?: () => Promise<unknown>): void => {
  if (undo === undefined) return toast(label)
  steps = [...steps, { label, undo }].slice(-most)
  toast(label, { label: words.undo, run: () => void undoLast(words) })
}
