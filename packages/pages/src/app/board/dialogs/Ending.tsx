/** Cancelling a job, and opening an ended one again. */
import type { JSX } from "preact"
import { Dialog } from "../../../components/Dialog.tsx"
import { Field } from "../../../components/Field.tsx"
import { Form } from "../../../components/Form.tsx"
import { fill } from "../../../i18n/Format.ts"
import { api } from "../../Api.ts"
import { Ask } from "../../parts/Ask.tsx"
import { changed } from "../../Undo.ts"
import { crewOf, sendCrews } from "../Actions.ts"
import { reload } from "../Follow.ts"
import type { Job } from "../Jobs.ts"
import type { BoardWords } from "../words/en.ts"

interface Props {
  readonly job: Job
  readonly onClose: () => void
  readonly words: BoardWords
}

const reasons = ["customer_request", "no_driver", "no_show", "late_cancel", "duplicate", "other"] as const

export const CancelDialog = ({ job, onClose, words }: Props): JSX.Element => (
  <Dialog title={fill(words.cancelTitle, { trip: job.reference })} onClose={onClose}>
    <Form
      submit={words.cancelJob}
      words={words}
      onSubmit={async ({ reason }) => {
        const crew = crewOf(job)
        await api.trips.update({
          id: job.trip_id,
          status: "cancelled",
          cancel_reason: reasons.find((known) => known === reason) ?? "operator"
        })
        await reload()
        let isReopened = false
        changed(fill(words.cancelledNow, { trip: job.reference }), words, async (force) => {
          if (!isReopened)
            await api.trips.reopen({ id: job.trip_id, reason: words.undo, ...(force && { force }) })
          isReopened = true
          await sendCrews([{ trip_id: job.trip_id, assignments: crew }], force)
        })
        onClose()
      }}
    >
      {() => (
        <Field label={words.reason}>
          {(control) => (
            <select {...control} name="reason">
              {reasons.map((name) => (
                <option key={name} value={name}>
                  {words[`reason_${name}`]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Form>
    <button type="button" class="button" onClick={onClose}>
      {words.back}
    </button>
  </Dialog>
)

export const ReopenDialog = ({ job, onClose, words }: Props): JSX.Element => (
  <Ask
    title={fill(words.reopenTitle, { trip: job.reference })}
    submit={words.reopen}
    anyway={words.saveAnyway}
    fields={[{ name: "reason", label: words.reason, value: "", isRequired: true }]}
    run={async ({ reason }, force) => {
      await api.trips.reopen({ id: job.trip_id, reason: String(reason ?? ""), ...force })
      await reload()
      changed(fill(words.reopened, { trip: job.reference }), words)
    }}
    onClose={onClose}
    words={words}
  >
    <p class="muted">{words.reopenHelp}</p>
  </Ask>
)
