/** When a tour leaves: times, weekdays and seats, edited in place. */
import type { Product, Weekdays } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format, locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { api } from "../Api.ts"
import { explained } from "../parts/WrongFields.tsx"
import { guard } from "../Router.ts"
import type { SalesWords } from "./words/en.ts"

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const satisfies ReadonlyArray<Weekdays>

const dayName = (day: Weekdays) =>
  new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" }).format(
    Date.UTC(2024, 0, 1 + days.indexOf(day))
  )

interface Row {
  readonly key: number
  readonly weekdays: ReadonlyArray<Weekdays>
  readonly times: string
  readonly seats: string
}

let lastKey = 0

const rowOf = ({ seats, times, weekdays }: Product["departures"][number]): Row => ({
  key: ++lastKey,
  weekdays: weekdays.length === 7 ? [] : weekdays,
  times: times.join(", "),
  seats: String(seats)
})

const emptyRow = (seats: number | null): Row => ({
  key: ++lastKey,
  weekdays: [],
  times: "",
  seats: seats === null ? "" : String(seats)
})

const bodyOf = ({ seats, times, weekdays }: Row) => {
  const number = numberIn(seats, locale)
  return {
    weekdays: weekdays.length === 0 ? null : weekdays,
    times: times.split(/[\s,;]+/u).filter((time) => time !== ""),
    // The server says at the field that a text is no number.
    seats: (seats === "" ? null : Number.isNaN(number) ? seats : number) as number
  }
}

/** What is wrong with a field, or with an element of its list. */
const wrongWithin = (failure: Failure | undefined, path: string, words: SalesWords) => {
  const found = failure?.details.find(({ field }) => field === path || field?.startsWith(`${path}.`))
  return found && fieldError(failure, found.field, words)
}

const inWords = ({ seats, times, weekdays }: Product["departures"][number], words: SalesWords) =>
  fill(words.departureRule, {
    days:
      weekdays.length === 0 || weekdays.length === 7
        ? words.everyDay
        : days
            .filter((day) => weekdays.includes(day))
            .map((day) => dayName(day))
            .join(", "),
    times: times.join(", "),
    seats: format.number(seats)
  })

const RowFields = ({
  change,
  failure,
  index,
  onRemove,
  row,
  words
}: {
  readonly row: Row
  readonly index: number
  readonly failure: Failure | undefined
  readonly change: (changes: Partial<Row>) => void
  readonly onRemove: () => void
  readonly words: SalesWords
}) => {
  const title = fill(words.departureNumber, { number: format.number(index + 1) })
  const wrongDays = wrongWithin(failure, `departures.${index}.weekdays`, words)
  return (
    <fieldset class="form-grid">
      <legend>{title}</legend>
      <Field
        label={words.times}
        hint={words.timesHint}
        error={wrongWithin(failure, `departures.${index}.times`, words)}
      >
        {(control) => (
          <input
            {...control}
            value={row.times}
            onInput={({ currentTarget }) => change({ times: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={words.seats} error={wrongWithin(failure, `departures.${index}.seats`, words)}>
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={row.seats}
            onInput={({ currentTarget }) => change({ seats: currentTarget.value })}
          />
        )}
      </Field>
      <div role="group" aria-label={words.weekdays}>
        <span class="small muted">{words.weekdaysHint}</span>
        <div class="weekdays">
          {days.map((day) => (
            <label key={day} class="check-line">
              <input
                type="checkbox"
                checked={row.weekdays.includes(day)}
                onChange={({ currentTarget: { checked } }) =>
                  change({
                    weekdays: checked ? [...row.weekdays, day] : row.weekdays.filter((other) => other !== day)
                  })
                }
              />
              {dayName(day)}
            </label>
          ))}
        </div>
        {wrongDays !== undefined && <p class="error">{wrongDays}</p>}
      </div>
      <button type="button" class="button small-button line-remove" onClick={onRemove}>
        {words.remove}
        <span class="unseen"> {title}</span>
      </button>
    </fieldset>
  )
}

const Editor = ({
  onClose,
  onReload,
  onSaved,
  product,
  words
}: {
  readonly product: Product
  readonly onSaved: (product: Product) => void
  readonly onReload: () => void
  readonly onClose: () => void
  readonly words: SalesWords
}) => {
  const [rows, setRows] = useState(() =>
    product.departures.length === 0 ? [emptyRow(product.capacity)] : product.departures.map(rowOf)
  )
  const isDirty = useRef(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.querySelector<HTMLElement>("input")?.focus()
    // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
    return guard(() => !isDirty.current || confirm(words.unsaved))
  }, [])
  const change = (next: ReadonlyArray<Row>) => {
    isDirty.current = true
    setRows(next as Array<Row>)
  }
  return (
    <div ref={place}>
      <Form
        submit={words.save}
        words={words}
        onSubmit={async () => {
          onSaved(
            await api.products.update(
              { id: product.product_id, departures: rows.map(bodyOf) },
              { ifMatch: product }
            )
          )
          isDirty.current = false
          toast(words.saved)
          onClose()
        }}
        explain={(failure) =>
          failure.type === "conflict" && failure.details.length === 0 ? (
            <>
              {failure.message}{" "}
              <button type="button" class="link" onClick={onReload}>
                {words.reload}
              </button>
            </>
          ) : (
            explained(failure, (field) => /^departures\.\d+\.(?:times|seats|weekdays)/u.test(field), words)
          )
        }
      >
        {(failure) => (
          <div class="departure-rows">
            {rows.map((row, index) => (
              <RowFields
                key={row.key}
                row={row}
                index={index}
                failure={failure}
                change={(changes) => change(rows.with(index, { ...row, ...changes }))}
                onRemove={() => change(rows.filter(({ key }) => key !== row.key))}
                words={words}
              />
            ))}
            <button
              type="button"
              class="button small-button line-remove"
              onClick={() => change([...rows, emptyRow(product.capacity)])}
            >
              {words.addDeparture}
            </button>
          </div>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </div>
  )
}

export const Departures = ({
  mayEdit,
  onReload,
  onSaved,
  product,
  words
}: {
  readonly product: Product
  readonly mayEdit: boolean
  readonly onSaved: (product: Product) => void
  readonly onReload: () => void
  readonly words: SalesWords
}): JSX.Element => {
  const [isEditing, setEditing] = useState(false)
  return (
    <section class="card record">
      <div class="record-head">
        <h2>{words.departures}</h2>
        {mayEdit && !isEditing && (
          <button type="button" class="button small-button" onClick={() => setEditing(true)}>
            {words.edit}
            <span class="unseen"> {words.departures}</span>
          </button>
        )}
      </div>
      {isEditing ? (
        <Editor
          product={product}
          onSaved={onSaved}
          onReload={onReload}
          onClose={() => setEditing(false)}
          words={words}
        />
      ) : product.departures.length === 0 ? (
        <p class="muted">{words.noDepartures}</p>
      ) : (
        <ul>
          {product.departures.map((rule, index) => (
            <li key={index}>{inWords(rule, words)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
