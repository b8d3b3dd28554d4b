/** What opens above the board. The code of the dialogs is loaded when the first of them opens. */
import type { JSX } from "preact"
import { later } from "../../components/Later.tsx"
import { dialog, jobs } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

const load = () => import("./dialogs/index.ts")

const Assign = later(() => load().then((module) => module.AssignDialog))
const JobForm = later(() => load().then((module) => module.JobForm))
const Cancel = later(() => load().then((module) => module.CancelDialog))
const Reopen = later(() => load().then((module) => module.ReopenDialog))
const Swap = later(() => load().then((module) => module.SwapDialog))
const Force = later(() => load().then((module) => module.ForceDialog))
const Driver = later(() => load().then((module) => module.DriverDialog))

const close = () => {
  dialog.value = undefined
}

/** Loads the code before a dialog opens. */
export const loadDialogs = (): void => void load().catch(() => undefined)

export const Dialogs = ({ words }: { readonly words: BoardWords }): JSX.Element | null => {
  const open = dialog.value
  if (open === undefined) return null
  const common = { words, onClose: close }
  if (open.kind === "new") return <JobForm {...common} job={undefined} />
  if (open.kind === "driver") return <Driver {...common} id={open.driver} />
  if (open.kind === "force") return <Force {...common} {...open} />
  const job = jobs.value.get(open.trip)
  if (job === undefined) return null
  if (open.kind === "assign") return <Assign {...common} job={job} />
  if (open.kind === "edit") return <JobForm {...common} job={job} />
  if (open.kind === "cancel") return <Cancel {...common} job={job} />
  if (open.kind === "reopen") return <Reopen {...common} job={job} />
  const other = open.with === undefined ? undefined : jobs.value.get(open.with)
  return other === undefined ? null : <Swap {...common} one={job} other={other} />
}
