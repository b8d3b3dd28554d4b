/** What is dragged, and what the server would say if it were dropped here. */
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import { failureText } from "../../components/Failed.tsx"
import { timeOf } from "../Formats.ts"
import { drag, entryOf } from "./Drag.ts"
import { candidateOf } from "./Facts.ts"
import { objectionsOf } from "./Objections.ts"
import { rows } from "./Rows.ts"
import { drivers } from "./state.ts"
import { warningsOf, warningsText } from "./Warnings.ts"
import type { BoardWords } from "./words/en.ts"

export const DragLabel = ({ words }: { readonly words: BoardWords }): JSX.Element | null => {
  const dragged = drag.value
  if (dragged === undefined) return null
  const { from, job, over, verdict, x, y } = dragged
  const entry = entryOf(job, from, over)
  const name = over === "lane" ? words.unassigned : rows.value.find(({ key }) => key === over)?.name
  const driver = drivers.value.find(({ driver_id }) => `driver-${driver_id}` === over)
  const said = () => {
    if (verdict?.refusal !== undefined) {
      const warned = warningsText(warningsOf(verdict.refusal), words)
      return warned === "" ? failureText(verdict.refusal, words) : warned
    }
    if (verdict !== undefined) return warningsText(verdict.warnings, words)
    return driver === undefined ? "" : objectionsOf(candidateOf(driver, job), words).join(" ")
  }
  const objections = entry === undefined ? "" : said()
  return (
    <div
      class={objections === "" ? "drag-label" : "drag-label against"}
      role="status"
      style={{ transform: `translate(${x + 12}px, ${y + 16}px)` }}
    >
      <b>
        {timeOf(job.trip_date)} {job.reference}
      </b>
      {entry !== undefined && name !== undefined && <span>{fill(words.dropOn, { row: name })}</span>}
      {objections !== "" && <span>{objections}</span>}
    </div>
  )
}
