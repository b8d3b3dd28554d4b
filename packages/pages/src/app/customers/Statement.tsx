/** The statement of a customer: taken as a file, or emailed. */
import type { JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { localOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { save } from "../parts/Files.ts"
import type { CustomersWords } from "./words/en.ts"

const types = { pdf: "application/pdf", csv: "text/csv" } as const

/** A file, which the client returns for another type than JSON. */
const fileOf = async (
  id: number,
  days: { readonly from: string; readonly to: string },
  form: "csv" | "pdf"
) =>
  save(
    (await api.statements.read({ id, ...days }, { headers: { accept: types[form] } })) as unknown as Blob,
    `statement-${days.from}-${days.to}.${form}`
  )

export const Statement = ({
  id,
  onClose,
  words
}: {
  readonly id: number
  readonly words: CustomersWords
  readonly onClose: () => void
}): JSX.Element => {
  const today = localOf(Date.now()).slice(0, 10)
  const forms = [
    ["pdf", words.asPdf],
    ["csv", words.asCsv],
    ...(mayWrite("billing") ? ([["email", words.asEmail]] as const) : [])
  ] as const
  return (
    <Dialog title={words.statement} onClose={onClose}>
      <Form
        submit={words.statementMake}
        words={words}
        onSubmit={async ({ email = "", form, from = "", to = "" }) => {
          if (form === "email") {
            const sent = await api.statements.send({ id, from, to, ...(email === "" ? {} : { email }) })
            toast(fill(words.statementTaken, { to: sent.email }))
          } else await fileOf(id, { from, to }, form === "csv" ? "csv" : "pdf")
          onClose()
        }}
      >
        {(failure) => (
          <>
            <Field label={words.fromDay} error={fieldError(failure, "from", words)}>
              {(control) => (
                <input
                  {...control}
                  name="from"
                  type="date"
                  required
                  defaultValue={`${today.slice(0, 4)}-01-01`}
                />
              )}
            </Field>
            <Field label={words.toDay} error={fieldError(failure, "to", words)}>
              {(control) => <input {...control} name="to" type="date" required defaultValue={today} />}
            </Field>
            <Field label={words.statementForm}>
              {(control) => (
                <select {...control} name="form">
                  {forms.map(([name, label]) => (
                    <option key={name} value={name}>
                      {label}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={words.statementTo} error={fieldError(failure, "email", words)}>
              {(control) => <input {...control} name="email" type="email" dir="auto" />}
            </Field>
          </>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}
