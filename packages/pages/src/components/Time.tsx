/** An instant on the clock of its place. It names the zone, and the reader's own time, if the reader's clock is another. */
import type { JSX } from "preact"
import { fill, isSameTime, ownZone } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import type { SharedWords } from "../words/en.ts"

export const Time = ({
  at,
  words,
  zone
}: {
  readonly at: string
  readonly zone: string
  readonly words: SharedWords
}): JSX.Element => {
  const own = ownZone()
  return (
    <time dateTime={at}>
      {format.dateTime(at, zone)}
      {!isSameTime(at, zone, own) && (
        <span class="muted small">
          {" "}
          {format.zoneName(at, zone)} ({fill(words.yourTime, { time: format.time(at, own) })})
        </span>
      )}
    </time>
  )
}
