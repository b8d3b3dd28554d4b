/** One trip: its fields in place, drivers, fare, invoice, link for the passenger, and its history. */
import type { Trip } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Field } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayRead, mayWrite } from "../Member.ts"
import { Ask } from "../parts/Ask.tsx"
import { attempt } from "../parts/Files.ts"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { type Changes, changesOf, RecordCard, type RecordField } from "../parts/Record.tsx"
import { navigate } from "../Router.ts"
import { changed } from "../Undo.ts"
import { atFields } from "../parts/AtFields.ts"
import { changeGroup, scopeField, scopeOf } from "./ApplyTo.ts"
import { Crew } from "./Crew.tsx"
import { Fare } from "./Fare.tsx"
import { officeFields, passengerFields, rideFields } from "./Fields.ts"
import { Repeating } from "./Repeating.tsx"
import { StatusBadge } from "./Status.tsx"
import { Timeline } from "./Timeline.tsx"
import type { TripsWords } from "./words/en.ts"

interface Props {
  readonly trip: Trip
  readonly reading: Reading<Trip>
  readonly words: TripsWords
}

const reasons = [
  "customer_request",
  "operator",
  "no_driver",
  "no_show",
  "late_cancel",
  "duplicate",
  "other"
] as const

/** Cancels the trip; the server says before what the fee would be. */
const Cancelling = ({ onClose, reading, trip, words }: Props & { readonly onClose: () => void }) => {
  const [reason, setReason] = useState<(typeof reasons)[number]>("customer_request")
  const id = trip.trip_id
  const preview = useReading(`fee ${id} ${reason}`, () =>
    api.trips.update({ id, status: "cancelled", cancel_reason: reason, force: true, dry_run: true })
  )
  return (
    <Dialog title={fill(words.cancelTitle, { trip: trip.reference })} onClose={onClose}>
      <Form
        submit={words.cancelTrip}
        words={words}
        onSubmit={async () => {
          reading.set(await api.trips.update({ id, status: "cancelled", cancel_reason: reason, force: true }))
          changed(fill(words.cancelledNow, { trip: trip.reference }), words, async (force) => {
            reading.set(await api.trips.reopen({ id, reason: words.undo, ...(force && { force }) }))
          })
          onClose()
        }}
      >
        {() => (
          <>
            <Field label={words.reason}>
              {(control) => (
                <select
                  {...control}
                  value={reason}
                  onChange={({ currentTarget: { value } }) =>
                    setReason(reasons.find((known) => known === value) ?? "other")
                  }
                >
                  {reasons.map((name) => (
                    <option key={name} value={name}>
                      {words[`reason_${name}`]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <p role="status">
              {preview.data === undefined
                ? ""
                : preview.data.cancellation_fee === null
                  ? words.noFee
                  : fill(words.fee, { amount: money(preview.data.cancellation_fee, trip.currency) })}
            </p>
          </>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.back}
      </button>
    </Dialog>
  )
}

/** Opens a trip again that was cancelled or completed. */
const Reopening = ({ onClose, reading, trip, words }: Props & { readonly onClose: () => void }) => (
  <Ask
    title={fill(words.reopenTitle, { trip: trip.reference })}
    submit={words.reopen}
    anyway={words.reopenAnyway}
    fields={[{ name: "reason", label: words.reason, value: "", isRequired: true }]}
    run={async ({ reason }, force) => {
      reading.set(await api.trips.reopen({ id: trip.trip_id, reason: String(reason ?? ""), ...force }))
      toast(fill(words.becameStatus, { status: words.confirmed }))
    }}
    onClose={onClose}
    words={words}
  />
)

const Actions = (props: Props) => {
  const { reading, trip, words } = props
  const [open, setOpen] = useState<"cancel" | "reopen" | "repeat" | "template">()
  const id = trip.trip_id
  const become = (status: "confirmed" | "completed") =>
    attempt(async () => {
      reading.set(await api.trips.update({ id, status }))
      changed(fill(words.becameStatus, { status: words[status] }), words)
    }, words)
  const duplicate = () =>
    attempt(async () => {
      const { reference, trip_id } = await api.trips.duplicate({ id })
      toast(fill(words.created, { name: reference }))
      navigate(`/trips/${trip_id}`)
    }, words)
  const share = () =>
    attempt(async () => {
      const { url } = await api.tracking.share({ id })
      await navigator.clipboard.writeText(url)
      toast(words.linkCopied)
    }, words)
  const invoice = () =>
    attempt(async () => {
      const { invoice_id } = await api.invoices.create({ trip_ids: [id] })
      navigate(`/money/${invoice_id}`)
    }, words)
  const hasBegun = Date.parse(trip.trip_date) <= Date.now()
  const isOpen = !["completed", "cancelled"].includes(trip.status)
  const mayEdit = mayWrite("operations")
  useCommands([
    ...(mayEdit && isOpen ? [{ key: "x", label: words.cancelTrip, run: () => setOpen("cancel") }] : []),
    ...(mayEdit ? [{ key: "d", label: words.duplicate, run: () => void duplicate() }] : [])
  ])
  return (
    <>
      {mayEdit && trip.allowed_transitions.includes("confirmed") && (
        <button type="button" class="button primary" onClick={() => void become("confirmed")}>
          {words.confirmTrips}
        </button>
      )}
      {mayEdit && hasBegun && trip.allowed_transitions.includes("completed") && (
        <button type="button" class="button" onClick={() => void become("completed")}>
          {words.completeTrips}
        </button>
      )}
      {mayEdit && isOpen && (
        <button type="button" class="button" onClick={() => void share()}>
          {words.trackingLink}
        </button>
      )}
      {mayEdit && (
        <button type="button" class="button" onClick={() => void duplicate()}>
          {words.duplicate}
        </button>
      )}
      {mayEdit && (
        <button type="button" class="button" onClick={() => setOpen("repeat")}>
          {words.repeat}
        </button>
      )}
      {mayEdit && (
        <button type="button" class="button" onClick={() => setOpen("template")}>
          {words.saveAsTemplate}
        </button>
      )}
      {mayWrite("billing") && (
        <button type="button" class="button" onClick={() => void invoice()}>
          {words.invoiceTrips}
        </button>
      )}
      {mayEdit && (
        <button type="button" class="button" onClick={() => setOpen(isOpen ? "cancel" : "reopen")}>
          {isOpen ? words.cancelTrip : words.reopen}
        </button>
      )}
      {open === "cancel" && <Cancelling {...props} onClose={() => setOpen(undefined)} />}
      {open === "repeat" && <Repeating trip={trip} words={words} onClose={() => setOpen(undefined)} />}
      {open === "template" && (
        <Ask
          title={fill(words.saveTripAsTemplate, { trip: trip.reference })}
          submit={words.save}
          fields={[{ name: "name", label: words.name, value: "", isRequired: true }]}
          onClose={() => setOpen(undefined)}
          run={async ({ name }) => {
            await api.tripTemplates.create({ name: String(name ?? ""), trip_id: id })
            toast(fill(words.created, { name: String(name ?? "") }))
          }}
          words={words}
        />
      )}
      {open === "reopen" && <Reopening {...props} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const Part = ({
  fields,
  reading,
  title,
  trip,
  words
}: Props & { readonly title: string; readonly fields: ReadonlyArray<RecordField> }) => {
  const id = trip.trip_id
  const [question, setQuestion] = useState<string>()
  const force = question === undefined ? {} : ({ force: true } as const)
  const save = async ({ apply_to, ...changes }: Changes) => {
    if (Object.keys(changes).length === 0) return
    const scope = scopeOf(apply_to)
    try {
      if (scope !== "this") {
        await changeGroup(trip, scope, changes, force, words)
        setQuestion(undefined)
        reading.reload()
        return
      }
      const after = await api.trips.update({ id, ...changes, ...force }, { ifMatch: trip })
      setQuestion(undefined)
      reading.set(after)
      const before = changesOf(
        fields.filter(({ name }) => name in changes).map((field) => ({ ...field, value: "\0" })),
        Object.fromEntries(fields.map(({ name, value }) => [name, value]))
      )
      changed(words.saved, words, async (force) => {
        reading.set(await api.trips.update({ id, ...before, ...(force && { force }) }))
      })
    } catch (error) {
      const failure = failureOf(error)
      // Saving once more confirms what the server asked.
      if (failure.type === "confirmation_required") setQuestion(failure.message)
      throw scope === "this" ? failure : atFields(failure, [], (path) => path.replace(/^changes\./u, ""))
    }
  }
  return (
    <RecordCard
      title={title}
      fields={[...fields, ...scopeField(trip, words)]}
      mayEdit={mayWrite("operations")}
      onSave={save}
      onReload={reading.reload}
      words={words}
    />
  )
}

export const TripRecord = ({
  id,
  words
}: {
  readonly id: number
  readonly words: TripsWords
}): JSX.Element => {
  const reading = useReading<Trip>(`trip ${id}`, () => api.trips.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(trip) => {
        const props = { trip, reading, words }
        return (
          <Page
            title={
              <>
                {fill(words.trip, { reference: trip.reference })}{" "}
                <StatusBadge status={trip.status} words={words} />
              </>
            }
            actions={<Actions {...props} />}
          >
            <div class="record-grid">
              <Part {...props} title={words.ride} fields={rideFields(trip, words)} />
              <Part {...props} title={words.passenger} fields={passengerFields(trip, words)} />
              <Crew trip={trip} onChange={reading.reload} words={words} />
              {mayRead("tariffs") && <Fare {...props} />}
              <Part {...props} title={words.office} fields={officeFields(trip, words)} />
              <Timeline {...props} />
            </div>
          </Page>
        )
      }}
    </Loaded>
  )
}
