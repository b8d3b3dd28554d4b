/** The absences of a driver as a calendar of a month, which can be added and removed. */
import type { Absence, AbsenceKind, Driver } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Dialog } from "../../components/Dialog.tsx"
import { Form } from "../../components/Form.tsx"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { allOf, api } from "../Api.ts"
import { dateOf, daysAfter, instantOf, localOf, momentOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { AppIcon } from "../parts/AppIcon.tsx"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { RecordFields } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import { toast } from "../../components/Toast.tsx"
import type { DriversWords } from "./words/en.ts"
import "./drivers.css"

const kinds = [
  "day_off",
  "vacation",
  "sick",
  "off_shift",
  "other"
] as const satisfies ReadonlyArray<AbsenceKind>

type Worded = { readonly words: DriversWords }

/** The first day of the month that many months after the month of `day`. */
const monthAfter = (day: string, months: number) => {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return first.toISOString().slice(0, 10)
}

/** The days from the Monday before the first of a month to the Sunday after its last day. */
const daysOf = (month: string) => {
  const weekday = (new Date(`${month}T00:00:00Z`).getUTCDay() + 6) % 7
  const first = daysAfter(month, -weekday)
  const end = monthAfter(month, 1)
  const count = Math.ceil((Date.parse(end) - Date.parse(first)) / 86_400_000 / 7) * 7
  return Array.from({ length: count }, (_, index) => daysAfter(first, index))
}

const weekdays = (style: "short" | "long") =>
  Array.from({ length: 7 }, (_, index) =>
    new Intl.DateTimeFormat(locale, { weekday: style, timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + index))
  )

const isOn = (day: string) => {
  const [starts, ends] = [instantOf(day), instantOf(daysAfter(day, 1))]
  return ({ ends_at, starts_at }: Absence) => Date.parse(starts_at) < ends && Date.parse(ends_at) > starts
}

const kindName = (kind: AbsenceKind, words: DriversWords) => words[kind]

const Calendar = ({
  absences,
  month,
  words
}: Worded & { readonly absences: ReadonlyArray<Absence>; readonly month: string }) => {
  const days = daysOf(month)
  const [short, long] = [weekdays("short"), weekdays("long")]
  const today = dateOf(Date.now())
  return (
    <table class="month">
      <thead>
        <tr>
          {short.map((name, index) => (
            <th key={name} scope="col" abbr={long[index]}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: days.length / 7 }, (_, week) => (
          <tr key={week}>
            {days.slice(week * 7, week * 7 + 7).map((day) => {
              const away = absences.filter(isOn(day))
              return (
                <td
                  key={day}
                  class={`${day.startsWith(month.slice(0, 7)) ? "" : "outside"} ${away.length > 0 ? "away" : ""}`}
                  aria-current={day === today ? "date" : undefined}
                >
                  <time dateTime={day}>{Number(day.slice(8))}</time>
                  {away.map(({ absence_id, kind }) => (
                    <span key={absence_id}>{kindName(kind, words)}</span>
                  ))}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const NewAbsence = ({
  driver,
  onAdded,
  onClose,
  words
}: Worded & { readonly driver: Driver; readonly onAdded: () => void; readonly onClose: () => void }) => {
  const tomorrow = daysAfter(dateOf(Date.now()), 1)
  const [reason, setReason] = useState<string>()
  return (
    <Dialog title={words.newAbsence} onClose={onClose}>
      <Form
        submit={reason === undefined ? words.add : words.addAnyway}
        words={words}
        onSubmit={async (typed) => {
          const { kind, note, ...times } = typed
          const added = await api.drivers.addAbsence({
            id: driver.driver_id,
            kind: kind as AbsenceKind,
            starts_at: times["starts_at"] ?? "",
            ends_at: times["ends_at"] ?? "",
            note: note === "" ? null : note,
            ...(reason === undefined ? {} : { force: true })
          })
          toast(
            added.warnings.length > 0
              ? fill(words.absenceClash, { count: format.number(added.warnings.length) })
              : words.saved
          )
          onAdded()
          onClose()
        }}
        explain={(failure) => {
          if (failure.type !== "confirmation_required") return undefined
          if (reason === undefined) setReason(failure.message)
          return failure.message
        }}
      >
        {(failure) => (
          <RecordFields
            failure={failure}
            words={words}
            fields={[
              {
                name: "kind",
                label: words.kind,
                value: "day_off",
                isRequired: true,
                options: kinds.map((kind) => [kind, kindName(kind, words)] as const)
              },
              {
                name: "starts_at",
                label: words.from,
                kind: "datetime-local",
                value: `${tomorrow}T00:00`,
                isRequired: true
              },
              {
                name: "ends_at",
                label: words.until,
                kind: "datetime-local",
                value: `${daysAfter(tomorrow, 1)}T00:00`,
                isRequired: true
              },
              { name: "note", label: words.notes, value: "" }
            ]}
          />
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}

export const Absences = ({ driver, words }: Worded & { readonly driver: Driver }): JSX.Element => {
  const [month, setMonth] = useState(() => monthAfter(dateOf(Date.now()), 0))
  const [isAdding, setAdding] = useState(false)
  const [from, to] = [daysAfter(month, -7), daysAfter(monthAfter(month, 1), 7)].map((day) => `${day}T00:00`)
  const id = driver.driver_id
  const reading = useReading(`absences ${id} ${month}`, () => allOf(api.drivers.absences({ id, from, to })))
  const mayEdit = mayWrite("operations")
  const remove = async ({ absence_id, ends_at, kind, note, starts_at }: Absence) => {
    await api.drivers.removeAbsences({ id, absence_ids: [absence_id] })
    reading.reload()
    changed(words.absenceRemoved, words, async (force) => {
      await api.drivers.addAbsence({ id, kind, note, starts_at, ends_at, ...(force && { force }) })
      reading.reload()
    })
  }
  const monthName = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC"
  }).format(new Date(`${month}T00:00:00Z`))
  return (
    <section class="card record wide" aria-label={words.absences}>
      <div class="record-head">
        <h2>{words.absences}</h2>
        <div class="row">
          <button
            type="button"
            class="icon-button"
            aria-label={words.monthBefore}
            onClick={() => setMonth(monthAfter(month, -1))}
          >
            <AppIcon name="previous" />
          </button>
          <strong aria-live="polite">{monthName}</strong>
          <button
            type="button"
            class="icon-button"
            aria-label={words.monthAfter}
            onClick={() => setMonth(monthAfter(month, 1))}
          >
            <AppIcon name="next" />
          </button>
          {mayEdit && (
            <button type="button" class="button small-button" onClick={() => setAdding(true)}>
              {words.newAbsence}
            </button>
          )}
        </div>
      </div>
      <Loaded reading={reading} words={words} heights={[220]}>
        {(absences) => (
          <>
            <Calendar absences={absences} month={month} words={words} />
            {absences.length > 0 && (
              <ul class="item-list">
                {absences.map((absence) => (
                  <li key={absence.absence_id}>
                    <span>
                      <strong>{kindName(absence.kind, words)}</strong> {momentOf(absence.starts_at)} –{" "}
                      {momentOf(absence.ends_at)} <bdi class="muted">{absence.note}</bdi>
                    </span>
                    {mayEdit && (
                      <button type="button" class="button small-button" onClick={() => void remove(absence)}>
                        {words.remove}
                        <span class="unseen"> {localOf(absence.starts_at)}</span>
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {isAdding && (
        <NewAbsence driver={driver} words={words} onAdded={reading.reload} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}
