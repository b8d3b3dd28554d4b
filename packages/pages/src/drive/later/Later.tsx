/** The parts of a job that are loaded after the first view: its details, the tracker, and what the page asks. */
import type { JSX } from "preact"
import type { DriveWords } from "../words/en.ts"
import { Details } from "./Details.tsx"
import { Dialogs, type DialogsProps } from "./Dialogs.tsx"
import { Tracker } from "./Tracker.tsx"
import { laterWords } from "./Words.ts"
import "./later.css"

export { keepPage } from "./Offline.ts"
export { Push } from "./Push.tsx"

export const Later = ({
  hasEnded,
  words: shown,
  ...props
}: Omit<DialogsProps, "words"> & {
  readonly hasEnded: boolean
  readonly words: DriveWords
}): JSX.Element => {
  const words = { ...shown, ...laterWords }
  return (
    <>
      {!hasEnded && <Details job={props.job} words={words} />}
      {!hasEnded && <Tracker words={words} />}
      <Dialogs {...props} words={words} />
    </>
  )
}
