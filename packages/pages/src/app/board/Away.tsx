/** An absence of a driver, drawn on the row below the jobs. */
import type { Absence } from "@livery/client"
import type { JSX } from "preact"
import { absenceText, shownPart } from "./Absences.ts"
import type { BoardWords } from "./words/en.ts"

export const Away = ({
  absence,
  place,
  words
}: {
  readonly absence: Absence
  /** Where a time is on the line, in pixels. */
  readonly place: (time: number) => number
  readonly words: BoardWords
}): JSX.Element => {
  const [from, to] = shownPart(absence)
  const start = place(from)
  return (
    <div
      class="away"
      title={absence.note ?? undefined}
      style={{ insetInlineStart: `${start}px`, inlineSize: `${place(to) - start}px` }}
    >
      <span>{absenceText(absence, words)}</span>
    </div>
  )
}
