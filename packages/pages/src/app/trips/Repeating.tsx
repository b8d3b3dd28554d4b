/** Repeating a trip: copies on further days, which form a group with it. */
import type { Trip } from "@livery/client"
import type { JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { atFields } from "../parts/AtFields.ts"
import type { TripsWords } from "./words/en.ts"

const rules = {
  daily: "FREQ=DAILY",
  workdays: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
  weekly: "FREQ=WEEKLY",
  monthly: "FREQ=MONTHLY"
} as const

type Rule = keyof typeof rules

const names = Object.keys(rules) as ReadonlyArray<Rule>

/** The days of a text, one after the other with commas or spaces between them. */
const daysOf = (text: string) => text.split(/[\s,;]+/u).filter((day) => day !== "")

export const Repeating = ({
  onClose,
  trip,
  words
}: {
  readonly trip: Trip
  readonly onClose: () => void
  readonly words: TripsWords
}): JSX.Element => (
  <Dialog title={fill(words.repeatTitle, { trip: trip.reference })} onClose={onClose}>
    <p class="muted">{words.repeatHelp}</p>
    <Form
      submit={words.repeat}
      words={words}
      onSubmit={async ({ except = "", holidays, rule, until = "" }) => {
        try {
          const { skipped_holidays, trips } = await api.trips.repeat({
            id: trip.trip_id,
            rrule: rules[names.find((name) => name === rule) ?? "weekly"],
            until,
            except: daysOf(except),
            holidays: holidays === undefined ? "keep" : "skip"
          })
          toast(
            fill(skipped_holidays.length === 0 ? words.repeated : words.repeatedWithHolidays, {
              count: format.number(trips.length),
              days: skipped_holidays.map((day) => format.day(day)).join(", ")
            })
          )
          onClose()
        } catch (error) {
          throw atFields(error, ["rrule", "until", "except"])
        }
      }}
    >
      {(failure) => (
        <>
          <Field label={words.repeatRule} error={fieldError(failure, "rrule", words)}>
            {(control) => (
              <select {...control} name="rule">
                {names.map((name) => (
                  <option key={name} value={name} selected={name === "weekly"}>
                    {words[`repeat_${name}`]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={words.repeatUntil} error={fieldError(failure, "until", words)}>
            {(control) => <input {...control} type="date" name="until" required />}
          </Field>
          <Field
            label={words.repeatExcept}
            hint={words.repeatExceptHint}
            error={fieldError(failure, "except", words)}
          >
            {(control) => <input {...control} name="except" />}
          </Field>
          <label class="check-line">
            <input type="checkbox" name="holidays" />
            {words.repeatHolidays}
          </label>
        </>
      )}
    </Form>
    <button type="button" class="button" onClick={onClose}>
      {words.back}
    </button>
  </Dialog>
)
