/** The parts of a job that are loaded after the first view: its details, the tracker, and what the page asks. */
import type { JSX } from "preact"
import type { DriveWords } from "../words/en.ts"
import { Answer } from "./Answer.tsx"
import { Details } from "./Details.tsx"
import { type Asked, Dialogs, type DialogsProps } from "./Dialogs.tsx"
import { NoShow } from "./NoShow.tsx"
import { Tracker } from "./Tracker.tsx"
import { laterWords } from "./Words.ts"
import "./later.css"

export { keepPage } from "./Offline.ts"
export { AnswerBadge } from "./Answer.tsx"
export { Push } from "./Push.tsx"

export const Later = ({
  ask,
  hasEnded,
  words: shown,
  ...props
}: Omit<DialogsProps, "words"> & {
  readonly ask: (asked: Asked) => void
  readonly hasEnded: boolean
  readonly words: DriveWords
}): JSX.Element => {
  const words = { ...shown, ...laterWords }
  return (
    <>
      <NoShow job={props.job} onReport={() => ask("noShow")} words={words} />
      <Answer job={props.job} send={props.send} words={words} />
      {!hasEnded && <Details job={props.job} words={words} />}
      {!hasEnded && <Tracker words={words} />}
      <Dialogs {...props} words={words} />
    </>
  )
}
