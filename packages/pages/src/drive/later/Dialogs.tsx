/** What the page asks the driver, and the greeting sign. */
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Field } from "../../components/Field.tsx"
import { Time } from "../../components/Time.tsx"
import { plainDigits } from "../../i18n/Digits.ts"
import { GreetingSign } from "./GreetingSign.tsx"
import type { Job, Report } from "../Job.ts"
import { answerQuestion, question } from "../state.ts"
import type { AllWords } from "./Words.ts"

/** What the driver has tapped that needs an answer. */
export type Asked = "finish" | "noShow" | "pin" | "sign"

const Question = ({
  children,
  no,
  onNo,
  onYes,
  title,
  yes
}: {
  readonly title: string
  readonly yes: string
  readonly no: string
  readonly onYes: () => void
  readonly onNo: () => void
  readonly children: ComponentChildren
}) => (
  <Dialog title={title} onClose={onNo}>
    <p>{children}</p>
    <div class="actions">
      <button type="button" class="button primary" onClick={onYes}>
        {yes}
      </button>
      <button type="button" class="button" onClick={onNo}>
        {no}
      </button>
    </div>
  </Dialog>
)

/** Asks for the passenger's code. */
const PinQuestion = ({
  fault,
  onNo,
  onPin,
  words
}: {
  readonly fault: string | undefined
  readonly onNo: () => void
  readonly onPin: (pin: string) => void
  readonly words: AllWords
}) => {
  const [error, setError] = useState(fault)
  return (
    <Dialog title={words.pinTitle} onClose={onNo}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get("pin")
          const pin = plainDigits(typeof typed === "string" ? typed : "").replaceAll(/\D/gu, "")
          if (pin.length === 4) onPin(pin)
          else setError(words.pinWrong)
        }}
      >
        <Field label={words.pinHelp} error={error}>
          {(control) => (
            <input
              {...control}
              class="pin"
              name="pin"
              inputMode="numeric"
              autoComplete="off"
              maxLength={8}
              dir="ltr"
            />
          )}
        </Field>
        <p class="muted small">{words.pinNone}</p>
        <div class="actions">
          <button type="submit" class="button primary">
            {words.board}
          </button>
          <button type="button" class="button" onClick={onNo}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A job, and what the driver is asked about it. */
export interface DialogsProps {
  readonly asks: Asked | undefined
  readonly job: Job
  readonly next: Report | undefined
  /** The words on the button of the next report. */
  readonly action: string
  readonly close: () => void
  readonly send: (body: Report) => void
  readonly words: AllWords
}

export const Dialogs = ({
  action,
  asks,
  close,
  job,
  next,
  send,
  words
}: DialogsProps): JSX.Element | null => {
  const asked = question.value
  if (asked?.kind === "early")
    return (
      <Question
        title={words.earlyAsk}
        yes={words.setOut}
        no={words.cancel}
        onYes={() => void answerQuestion({ force: true })}
        onNo={() => void answerQuestion(undefined)}
      >
        <Time at={job.trip_date} zone={job.pickup_timezone} words={words} />
      </Question>
    )
  if (asked?.kind === "pin")
    return (
      <PinQuestion
        fault={asked.isLocked ? words.pinTooMany : words.pinWrong}
        onNo={() => void answerQuestion(undefined)}
        onPin={(pickup_pin) => void answerQuestion({ pickup_pin })}
        words={words}
      />
    )
  switch (asks) {
    case "finish":
      return (
        <Question
          title={words.finishAsk}
          yes={action}
          no={words.cancel}
          onYes={() => next && send(next)}
          onNo={close}
        >
          {words.finishHelp}
        </Question>
      )
    case "noShow":
      return (
        <Question
          title={words.noShowAsk}
          yes={words.noShow}
          no={words.cancel}
          onYes={() => send({ milestone: "no_show" })}
          onNo={close}
        >
          {words.noShowHelp}
        </Question>
      )
    case "pin":
      return (
        <PinQuestion
          fault={undefined}
          onNo={close}
          onPin={(pickup_pin) => send({ milestone: "passenger_on_board", pickup_pin })}
          words={words}
        />
      )
    case "sign":
      return <GreetingSign job={job} onClose={close} words={words} />
    default:
      return null
  }
}
