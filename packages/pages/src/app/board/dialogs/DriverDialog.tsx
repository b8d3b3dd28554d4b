/** A driver: the jobs of the day, a call, and an absence, such as an illness. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../../api/Failure.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { Field, fieldError } from "../../../components/Field.tsx"
import { Form, type Typed } from "../../../components/Form.tsx"
import { fill } from "../../../i18n/Format.ts"
import { format } from "../../../i18n/Language.ts"
import { api } from "../../Api.ts"
import { daysAfter, localOf, timeOf } from "../../Formats.ts"
import { mayWrite } from "../../Member.ts"
import { hrefOf } from "../../Router.ts"
import { changed } from "../../Undo.ts"
import { reload } from "../Follow.ts"
import { driversOf, spanOf, stateOf } from "../Jobs.ts"
import { all, day, drivers, isToday, now, select } from "../state.ts"
import { warningsOf } from "../Warnings.ts"
import type { BoardWords } from "../words/en.ts"

const kinds = ["sick", "day_off", "vacation", "off_shift", "other"] as const

const Absence = ({
  id,
  name,
  onClose,
  words
}: {
  readonly id: number
  readonly name: string
  readonly onClose: () => void
  readonly words: BoardWords
}) => {
  // The jobs concerned were named, and nothing was typed since: to save now is to confirm them.
  const [isAsked, setAsked] = useState(false)
  const absentNow = (count: number) => fill(words.absentNow, { driver: name, count: format.number(count) })
  const add = async ({ ends_at = "", kind, starts_at = "" }: Typed) => {
    const { absences, warnings } = await api.drivers.addAbsence({
      id,
      kind: kinds.find((known) => known === kind) ?? "other",
      starts_at,
      ends_at,
      ...(isAsked && { force: true })
    })
    await reload()
    changed(absentNow(warnings.length), words, async () => {
      await api.drivers.removeAbsences({ id, absence_ids: absences.map(({ absence_id }) => absence_id) })
      await reload()
    })
    onClose()
  }
  return (
    <div onInput={() => setAsked(false)}>
      <Form
        submit={isAsked ? words.saveAnyway : words.markAbsent}
        words={words}
        explain={(failure) =>
          failure.type === "confirmation_required" ? absentNow(warningsOf(failure).length) : undefined
        }
        onSubmit={async (typed) => {
          try {
            await add(typed)
          } catch (error) {
            setAsked(failureOf(error).type === "confirmation_required")
            throw error
          }
        }}
      >
        {(failure) => (
          <div class="form-grid">
            <Field label={words.absence} error={fieldError(failure, "kind", words)}>
              {(control) => (
                <select {...control} name="kind">
                  {kinds.map((kind) => (
                    <option key={kind} value={kind}>
                      {words[kind]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={words.absentFrom} error={fieldError(failure, "starts_at", words)}>
              {(control) => (
                <input
                  {...control}
                  type="datetime-local"
                  name="starts_at"
                  defaultValue={isToday.value ? localOf(now.value) : `${day.value}T00:00`}
                />
              )}
            </Field>
            <Field label={words.absentTo} error={fieldError(failure, "ends_at", words)}>
              {(control) => (
                <input
                  {...control}
                  type="datetime-local"
                  name="ends_at"
                  defaultValue={`${daysAfter(day.value, 1)}T00:00`}
                />
              )}
            </Field>
          </div>
        )}
      </Form>
    </div>
  )
}

export const DriverDialog = ({
  id,
  onClose,
  words
}: {
  readonly id: number
  readonly onClose: () => void
  readonly words: BoardWords
}): JSX.Element | null => {
  const driver = drivers.value.find(({ driver_id }) => driver_id === id)
  if (driver === undefined) return null
  const own = all.value.filter((job) => driversOf(job).some(({ driver_id }) => driver_id === id))
  return (
    <Dialog title={driver.name} onClose={onClose}>
      <p class="row">
        {driver.phone !== null && (
          <a class="button small-button" href={`tel:${driver.phone}`}>
            {driver.phone}
          </a>
        )}
        <a class="button small-button" href={hrefOf(`/drivers/${id}`)} onClick={onClose}>
          {words.allFields}
        </a>
      </p>
      {own.length === 0 ? (
        <p class="muted">{words.noJobsOfDriver}</p>
      ) : (
        <ul class="plain-list">
          {own.map((job) => (
            <li key={job.trip_id}>
              <button
                type="button"
                class="link"
                onClick={() => {
                  onClose()
                  select(job.trip_id)
                }}
              >
                {timeOf(spanOf(job)[0])}–{timeOf(spanOf(job)[1])}
              </button>{" "}
              <bdi>{job.pickup_address}</bdi> <span class="muted small">{words[stateOf(job)]}</span>
            </li>
          ))}
        </ul>
      )}
      {mayWrite("operations") && <Absence id={id} name={driver.name} onClose={onClose} words={words} />}
      <button type="button" class="button" onClick={onClose}>
        {words.close}
      </button>
    </Dialog>
  )
}
