/** The name of the passenger in full screen, to hold up at the arrivals. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { Icon } from "../../components/Icon.tsx"
import type { Job } from "../Job.ts"
import type { AllWords } from "./Words.ts"

export const GreetingSign = ({
  job,
  onClose,
  words
}: {
  readonly job: Job
  readonly onClose: () => void
  readonly words: AllWords
}): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.requestFullscreen?.().catch(() => undefined)
    return () => {
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [])
  return (
    <dialog class="sign" ref={dialog} aria-label={words.sign} onClose={onClose}>
      <p dir="auto">{job.pickup_sign ?? job.customer_name}</p>
      <button type="button" class="button" onClick={onClose}>
        <Icon name="cross" />
        {words.closeSign}
      </button>
    </dialog>
  )
}
