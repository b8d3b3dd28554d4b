/** What opens above the board: at once, because the next letters are typed into it. */
import type { JSX } from "preact"
import { AssignDialog } from "./dialogs/AssignDialog.tsx"
import { ForceDialog, SwapDialog } from "./dialogs/Confirming.tsx"
import { CopyDay } from "./dialogs/CopyDay.tsx"
import { DriverDialog } from "./dialogs/DriverDialog.tsx"
import { CancelDialog, ReopenDialog } from "./dialogs/Ending.tsx"
import { JobForm } from "./dialogs/JobForm.tsx"
import { dialog, jobs } from "./state.ts"
import type { BoardWords } from "./words/en.ts"

type Opened = NonNullable<typeof dialog.value>

/** The dialog that stands open. A key may open the next one before the browser tells that this one closed. */
const Open = ({ open, words }: { readonly open: Opened; readonly words: BoardWords }): JSX.Element | null => {
  const onClose = () => {
    if (dialog.value === open) dialog.value = undefined
  }
  const common = { words, onClose }
  if (open.kind === "new") return <JobForm {...common} job={undefined} />
  if (open.kind === "copyDay") return <CopyDay {...common} />
  if (open.kind === "driver") return <DriverDialog {...common} id={open.driver} />
  if (open.kind === "force") return <ForceDialog {...common} {...open} />
  const job = jobs.value.get(open.trip)
  if (job === undefined) return null
  if (open.kind === "assign") return <AssignDialog {...common} job={job} />
  if (open.kind === "edit") return <JobForm {...common} job={job} />
  if (open.kind === "cancel") return <CancelDialog {...common} job={job} />
  if (open.kind === "reopen") return <ReopenDialog {...common} job={job} />
  const other = open.with === undefined ? undefined : jobs.value.get(open.with)
  return other === undefined ? null : <SwapDialog {...common} one={job} other={other} />
}

export const Dialogs = ({ words }: { readonly words: BoardWords }): JSX.Element | null =>
  dialog.value === undefined ? null : <Open key={dialog.value} open={dialog.value} words={words} />
