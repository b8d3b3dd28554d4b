/** Copying the jobs of the day on the board to another day. */
import type { JSX } from "preact"
import { Dialog } from "../../../components/Dialog.tsx"
import { Field, fieldError } from "../../../components/Field.tsx"
import { Form } from "../../../components/Form.tsx"
import { toast } from "../../../components/Toast.tsx"
import { fill } from "../../../i18n/Format.ts"
import { format } from "../../../i18n/Language.ts"
import { api } from "../../Api.ts"
import { dayOf, daysAfter, instantOf } from "../../Formats.ts"
import { setQuery } from "../../Router.ts"
import { day } from "../state.ts"
import type { BoardWords } from "../words/en.ts"

export const CopyDay = ({
  onClose,
  words
}: {
  readonly onClose: () => void
  readonly words: BoardWords
}): JSX.Element => (
  <Dialog title={fill(words.copyDayTitle, { day: dayOf(instantOf(day.value)) })} onClose={onClose}>
    <p class="muted">{words.copyDayHelp}</p>
    <Form
      submit={words.copyDay}
      words={words}
      onSubmit={async ({ to = "" }) => {
        const copies = await api.dispatch.copyDay({ from: day.value, to })
        toast(fill(words.copiedDay, { count: format.number(copies.length) }))
        onClose()
        setQuery({ date: to, window: undefined })
      }}
    >
      {(failure) => (
        <Field
          label={words.copyDayTo}
          error={fieldError(failure, "to", words) ?? fieldError(failure, "from", words)}
        >
          {(control) => (
            <input {...control} type="date" name="to" required defaultValue={daysAfter(day.value, 7)} />
          )}
        </Field>
      )}
    </Form>
    <button type="button" class="button" onClick={onClose}>
      {words.back}
    </button>
  </Dialog>
)
