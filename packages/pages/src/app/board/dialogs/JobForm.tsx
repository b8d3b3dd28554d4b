/** A new job, or what matters of a job on the day itself; all other fields are on the trip's own screen. */
import type { TripTemplate, TripTemplatesBookInput } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../../api/Failure.ts"
import { Dialog } from "../../../components/Dialog.tsx"
import { Form, type Typed } from "../../../components/Form.tsx"
import { fill } from "../../../i18n/Format.ts"
import { plainDigits } from "../../../i18n/Digits.ts"
import { api } from "../../Api.ts"
import { dateOf, localOf } from "../../Formats.ts"
import { type Changes, changesOf, type RecordField, RecordFields } from "../../parts/Record.tsx"
import { emptied, TemplateChoice } from "../../parts/TemplateChoice.tsx"
import { hrefOf } from "../../Router.ts"
import { changed } from "../../Undo.ts"
import { reload } from "../Follow.ts"
import type { Job } from "../Jobs.ts"
import { day, now, select } from "../state.ts"
import { warningsOf, warningsText } from "../Warnings.ts"
import type { BoardWords } from "../words/en.ts"

const classes = ["sedan", "suv", "van", "minibus", "bus", "limousine", "other"] as const

const isNumber = new Set(["duration_minutes", "participants_count"])

/** The next whole quarter of an hour of the board's day. */
const usualTime = () => {
  const soon = Math.ceil((now.value + 1_800_000) / 900_000) * 900_000
  return dateOf(soon) === day.value ? localOf(soon) : `${day.value}T09:00`
}

const fieldsOf = (job: Job | undefined, words: BoardWords): ReadonlyArray<RecordField> => [
  { name: "customer_name", label: words.passenger, value: job?.customer_name ?? "", isRequired: true },
  {
    name: "trip_date",
    label: words.pickupTime,
    value: job === undefined ? usualTime() : localOf(job.trip_date),
    kind: "datetime-local",
    isRequired: true
  },
  { name: "pickup_address", label: words.from, value: job?.pickup_address ?? "", isRequired: true },
  { name: "dropoff_address", label: words.to, value: job?.dropoff_address ?? "", isRequired: true },
  { name: "customer_phone", label: words.phone, value: job?.customer_phone ?? "", kind: "tel" },
  { name: "flight_number", label: words.flight, value: job?.flight_number ?? "" },
  {
    name: "vehicle_class",
    label: words.class,
    value: job?.vehicle_class ?? "",
    options: classes.map((name) => [name, words[name]] as const)
  },
  {
    name: "participants_count",
    label: words.people,
    value: job?.participants_count?.toString() ?? "",
    kind: "number"
  },
  {
    name: "duration_minutes",
    label: words.minutes,
    value: job?.duration_minutes?.toString() ?? "",
    kind: "number"
  },
  { name: "group_id", label: words.group, value: job?.group_id ?? "" },
  { name: "notes", label: words.notes, value: job?.notes ?? "", kind: "area" }
]

/** The fields with the values of a template. */
const withTemplate = (
  fields: ReadonlyArray<RecordField>,
  template: TripTemplate | undefined
): ReadonlyArray<RecordField> =>
  fields.map((field) => {
    const value = template?.trip[field.name]
    return typeof value === "string" || typeof value === "number" ? { ...field, value: String(value) } : field
  })

/** The fields of the form that a template has and that were emptied. */
const emptiedHere = (template: TripTemplate, body: object) => {
  const shown = new Set(["customer_phone", "flight_number", ...isNumber, "vehicle_class", "notes"])
  return Object.fromEntries(Object.entries(emptied(template, body)).filter(([name]) => shown.has(name)))
}

/** What was typed, as the API takes it: times are on the clock of the business already. */
const bodyOf = (changes: Changes) =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      if (typeof value !== "string" || !isNumber.has(name)) return [name, value]
      const number = Number(plainDigits(value))
      return [name, Number.isNaN(number) ? value : number]
    })
  )

export const JobForm = ({
  job,
  onClose,
  words
}: {
  readonly job: Job | undefined
  readonly onClose: () => void
  readonly words: BoardWords
}): JSX.Element => {
  const [template, setTemplate] = useState<TripTemplate>()
  const fields = withTemplate(fieldsOf(job, words), template)
  // The warnings were shown, and nothing was typed since: to save now is to confirm them.
  const [isAsked, setAsked] = useState(false)
  const create = async (typed: Typed, key: string) => {
    const body = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ""))
    const input = bodyOf(body) as unknown as Parameters<typeof api.trips.create>[0]
    const once = { idempotencyKey: key }
    const created = await (template === undefined
      ? api.trips.create(input, once)
      : api.tripTemplates.book(
          {
            ...({ ...emptiedHere(template, body), ...input } as TripTemplatesBookInput),
            id: template.template_id
          },
          once
        ))
    await reload()
    select(created.trip_id)
    changed(fill(words.created, { trip: created.reference }), words, async () => {
      await api.trips.update({ id: created.trip_id, status: "cancelled" })
      await reload()
    })
  }
  const save = async (before: Job, typed: Typed) => {
    const changes = changesOf(fields, typed)
    const names = Object.keys(changes)
    if (names.length === 0) return
    const { warnings } = await api.trips.update({
      id: before.trip_id,
      ...bodyOf(changes),
      ...(isAsked && { force: true })
    })
    await reload()
    const earlier = Object.fromEntries(names.map((name) => [name, before[name as keyof Job]]))
    const label =
      `${fill(words.savedTrip, { trip: before.reference })} ${warningsText(warnings, words)}`.trim()
    changed(label, words, async (force) => {
      await api.trips.update({ id: before.trip_id, ...earlier, ...(force && { force }) })
      await reload()
    })
  }
  return (
    <Dialog
      title={job === undefined ? words.newJob : fill(words.editTitle, { trip: job.reference })}
      onClose={onClose}
    >
      {job === undefined && (
        <TemplateChoice
          label={words.fromTemplate}
          none={words.withoutTemplate}
          chosen={template?.template_id}
          onChoose={setTemplate}
        />
      )}
      <div key={template?.template_id} onInput={() => setAsked(false)}>
        <Form
          submit={job === undefined ? words.create : isAsked ? words.saveAnyway : words.save}
          words={words}
          explain={(failure) => warningsText(warningsOf(failure), words) || undefined}
          onSubmit={async (typed, key) => {
            try {
              await (job === undefined ? create(typed, key) : save(job, typed))
              onClose()
            } catch (error) {
              setAsked(job !== undefined && warningsOf(failureOf(error)).length > 0)
              throw error
            }
          }}
        >
          {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
        </Form>
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.cancel}
        </button>
        <a
          class="button"
          href={hrefOf(job === undefined ? "/trips/new" : `/trips/${job.trip_id}`)}
          onClick={onClose}
        >
          {words.allFields}
        </a>
      </div>
    </Dialog>
  )
}
