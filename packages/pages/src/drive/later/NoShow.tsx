/** Reporting that the passenger did not come, which is possible once the driver has waited. */
import type { JSX } from "preact"
import { fill } from "../../i18n/Format.ts"
import { type Job, noShowFrom } from "../Job.ts"
import { now } from "../state.ts"
import type { AllWords } from "./Words.ts"

const clock = (milliseconds: number) => {
  const seconds = Math.ceil(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

export const NoShow = ({
  job,
  onReport,
  words
}: {
  readonly job: Job
  readonly onReport: () => void
  readonly words: AllWords
}): JSX.Element | null => {
  const from = noShowFrom(job)
  if (from === undefined) return null
  const left = from - now.value
  return (
    <button
      type="button"
      class="button"
      aria-disabled={left > 0 ? "true" : undefined}
      onClick={() => left <= 0 && onReport()}
    >
      {words.noShow}
      {left > 0 && <span class="muted small">{fill(words.possibleIn, { time: clock(left) })}</span>}
    </button>
  )
}
