/** The last ten changes, each with the requests that undo it. What the server refuses until it is confirmed is asked first. */
import { signal } from "@preact/signals"
import { failureOf } from "../api/Failure.ts"
import { failureText } from "../components/Failed.tsx"
import { toast } from "../components/Toast.tsx"
import { fill } from "../i18n/Format.ts"
import type { AppWords } from "./words/en.ts"

interface Step {
  readonly label: string
  /** Undoes it; with `force`, what the server refuses without a confirmation, too. */
  readonly undo: (force: boolean) => Promise<unknown>
}

/** The change that is undone only if the person confirms it, with the reason of the server. */
export const question = signal<{ readonly label: string; readonly reason: string } | undefined>(undefined)

const most = 10
let steps: ReadonlyArray<Step> = []

/** Ends with the changes and undos that have begun. */
let begun: Promise<unknown> = Promise.resolve()

/** Makes a change. An undo that is asked for before its answer waits for it: it would undo an earlier change. */
export const changing = <A>(work: () => Promise<A>): Promise<A> => {
  const change = work()
  begun = Promise.allSettled([begun, change])
  return change
}

const undo = async (words: AppWords, force: boolean): Promise<void> => {
  const step = steps.at(-1)
  if (step === undefined) return toast(words.nothingToUndo)
  steps = steps.slice(0, -1)
  try {
    await step.undo(force)
    toast(fill(words.undone, { change: step.label }))
  } catch (error) {
    steps = [...steps, step].slice(-most)
    const failure = failureOf(error)
    if (failure.type === "confirmation_required" && !force)
      question.value = { label: step.label, reason: failure.message }
    else toast(fill(words.notUndone, { change: step.label, reason: failureText(failure, words) }))
  }
}

/** Undoes the latest change that can be undone, and says what happened. */
export const undoLast = (words: AppWords, force = false): Promise<void> => {
  const undone = begun.then(() => undo(words, force))
  begun = undone
  return undone
}

/** Says what was changed, and keeps how to undo it. */
export const changed = (label: string, words: AppWords, undo?: Step["undo"]): void => {
  if (undo === undefined) return toast(label)
  steps = [...steps, { label, undo }].slice(-most)
  toast(label, { label: words.undo, run: () => void undoLast(words) })
}
