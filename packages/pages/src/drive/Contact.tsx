/** The banner that tells whether the office hears from this phone: the age of the last contact, and what waits. */
import type { JSX } from "preact"
import { Notice } from "../components/Notice.tsx"
import { fill } from "../i18n/Format.ts"
import { format } from "../i18n/Language.ts"
import { isConnected, isPositionOff, lastContact, now, refusal, waitingCount } from "./state.ts"
import type { DriveWords } from "./words/en.ts"

const ageOf = (at: number) => format.ago(Math.max(0, Math.floor((now.value - at) / 1000)))

/** A contact older than this is worth a warning, in milliseconds. */
const tooLong = 60_000

export const Contact = ({ words }: { readonly words: DriveWords }): JSX.Element => {
  const at = lastContact.value
  const count = waitingCount.value
  const isLost = !isConnected.value || (at !== undefined && now.value - at > tooLong)
  return (
    <div class="contact">
      {isLost ? (
        <Notice tone="warn">
          <strong>{words.noContact}</strong> {at !== undefined && fill(words.lastContact, { age: ageOf(at) })}
          {count > 0 && <p>{fill(words.waiting, { count: format.number(count) })}</p>}
        </Notice>
      ) : (
        at !== undefined && <p class="muted small">{fill(words.lastContact, { age: ageOf(at) })}</p>
      )}
      {isPositionOff.value && <Notice tone="warn">{words.positionOff}</Notice>}
      {refusal.value !== undefined && (
        <Notice tone="bad" role="alert">
          {words.refused} <bdi lang="en">{refusal.value.message}</bdi>
        </Notice>
      )}
    </div>
  )
}
