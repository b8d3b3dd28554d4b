/** Accepting or declining a job before the start. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Field } from "../../components/Field.tsx"
import { Badge } from "../../components/Notice.tsx"
import { type Job, phaseOf, type Report } from "../Job.ts"
import { type AllWords, laterWords as words } from "./Words.ts"

/** Whether the driver accepted a job that has not begun. */
export const AnswerBadge = ({ job }: { readonly job: Job }): JSX.Element | null => {
  if (phaseOf(job) !== "ready") return null
  return job.accepted_at ? (
    <Badge tone="good" icon="check">
      {words.accepted}
    </Badge>
  ) : (
    <Badge tone="warn" icon="clock">
      {words.notAccepted}
    </Badge>
  )
}

const Declining = ({
  cancel,
  onClose,
  onDecline
}: {
  readonly cancel: string
  readonly onClose: () => void
  readonly onDecline: (reason: string) => void
}) => (
  <Dialog title={words.declineAsk} onClose={onClose}>
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        const reason = new FormData(event.currentTarget).get("reason")
        onDecline(typeof reason === "string" ? reason.trim() : "")
      }}
    >
      <p>{words.declineHelp}</p>
      <Field label={words.declineReason}>
        {(control) => <input {...control} name="reason" maxLength={500} autoComplete="off" dir="auto" />}
      </Field>
      <div class="actions">
        <button type="submit" class="button primary">
          {words.decline}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {cancel}
        </button>
      </div>
    </form>
  </Dialog>
)

export const Answer = ({
  job,
  send,
  words: { cancel }
}: {
  readonly job: Job
  readonly send: (body: Report) => void
  readonly words: AllWords
}): JSX.Element | null => {
  const [isDeclining, setDeclining] = useState(false)
  if (phaseOf(job) !== "ready") return null
  const { pickup_address, trip_date } = job
  return (
    <section class="card answer" aria-label={words.answer}>
      <div role="status">
        <AnswerBadge job={job} />
      </div>
      <div class="actions">
        {!job.accepted_at && (
          <button
            type="button"
            class="button primary"
            onClick={() => send({ accepted: true, trip_date, pickup_address })}
          >
            {words.acceptJob}
          </button>
        )}
        <button type="button" class="button" onClick={() => setDeclining(true)}>
          {words.decline}
        </button>
      </div>
      {isDeclining && (
        <Declining
          cancel={cancel}
          onClose={() => setDeclining(false)}
          onDecline={(reason) => {
            setDeclining(false)
            send({ status: "cancelled", ...(reason !== "" && { reason }) })
          }}
        />
      )}
    </section>
  )
}
