/** What can be done with a job in its present state, each with its key. */
import type { Command } from "../Keys.ts"
import { attempt, beginSwap, moveBy, report, unassign, update } from "./Actions.ts"
import { driversOf, isOver, type Job, stateOf } from "./Jobs.ts"
import { dialog, selectedJob, swapping } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

/** How far one key moves a job, in minutes. */
const stepMinutes = 5

const openFor = (kind: "assign" | "edit" | "cancel" | "reopen", job: Job) => {
  dialog.value = { kind, trip: job.trip_id }
}

/** The commands of the driver's way: what comes next. */
const wayOf = (job: Job, words: BoardWords): ReadonlyArray<Command> => {
  const at = (key: string, label: string, run: () => Promise<void>): Command => ({
    key,
    label,
    run: () => void run()
  })
  switch (stateOf(job)) {
    case "assigned":
    case "accepted":
      return [
        at("o", words.setOut, () =>
          report(job, { status: "en_route", force: true }, words.coming, words, { undo: true })
        )
      ]
    case "coming":
      return [
        at("o", words.setArrived, () =>
          report(job, { status: "en_route", milestone: "arrived_at_pickup" }, words.arrived, words, {
            milestone: "arrived_at_pickup",
            undo: true,
            reason: words.undo
          })
        )
      ]
    case "arrived":
      return [
        at("o", words.setOnBoard, () =>
          report(job, { status: "en_route", milestone: "passenger_on_board" }, words.onBoard, words, {
            milestone: "passenger_on_board",
            undo: true,
            reason: words.undo
          })
        ),
        at("x", words.setNoShow, () =>
          report(job, { status: "completed", milestone: "no_show" }, words.noShow, words)
        )
      ]
    case "onBoard":
    case "noShow":
      return [at("o", words.setCompleted, () => report(job, { status: "completed" }, words.completed, words))]
    default:
      return []
  }
}

/** The commands of a job; those without a key have a button alone. */
export const commandsOf = (job: Job, words: BoardWords): ReadonlyArray<Command> => {
  const { allowed_transitions: allowed } = job
  if (isOver(job)) return [{ key: "r", label: words.reopen, run: () => openFor("reopen", job) }]
  const isAssigned = driversOf(job).length > 0
  return [
    { key: "a", label: words.assign, run: () => openFor("assign", job) },
    ...(isAssigned
      ? [
          {
            key: "s",
            label: swapping.value === job.trip_id ? words.swapEnd : words.swap,
            run: () => {
              const first = beginSwap(job)
              if (first !== undefined) dialog.value = { kind: "swap", trip: first, with: job.trip_id }
            }
          },
          { key: "u", label: words.unassign, run: () => void unassign(job, words) }
        ]
      : []),
    { key: "e", label: words.edit, run: () => openFor("edit", job) },
    ...(job.status === "pending" && allowed.includes("confirmed")
      ? [
          {
            key: "c",
            label: words.confirm,
            run: () =>
              void attempt(
                () => update(job, { status: "confirmed" }, `${job.reference}: ${words.assigned}`, words),
                words
              )
          }
        ]
      : []),
    ...wayOf(job, words),
    { key: ".", label: words.later, run: () => void moveBy(job, stepMinutes, words) },
    { key: ",", label: words.earlier, run: () => void moveBy(job, -stepMinutes, words) },
    ...(allowed.includes("completed") && !isAssigned
      ? [
          {
            key: "",
            label: words.setCompleted,
            run: () =>
              void attempt(
                () => update(job, { status: "completed" }, `${job.reference}: ${words.completed}`, words),
                words
              )
          }
        ]
      : []),
    ...(allowed.includes("cancelled")
      ? [{ key: "Delete", label: words.cancelJob, run: () => openFor("cancel", job) }]
      : [])
  ]
}

/** The commands of the selected job, for the keys. */
export const selectedCommands = (words: BoardWords): ReadonlyArray<Command> => {
  const job = selectedJob.value
  return job === undefined ? [] : commandsOf(job, words).filter(({ key }) => key !== "")
}
