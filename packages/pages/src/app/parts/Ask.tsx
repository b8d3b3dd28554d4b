/**
 * Asks for what a step needs, such as a reason, and takes it. Where the server wants a confirmation, its sentence is shown, and the
 * same button confirms.
 */
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Form } from "../../components/Form.tsx"
import type { AppWords } from "../words/en.ts"
import { type Changes, changesOf, type RecordField, RecordFields } from "./Record.tsx"
import { explained } from "./WrongFields.tsx"

export const Ask = ({
  anyway,
  children,
  fields = [],
  onClose,
  question,
  run,
  submit,
  title,
  words
}: {
  readonly title: string
  readonly submit: string
  /** What the button says when it confirms; by default the same. */
  readonly anyway?: string
  /** What is asked before it is confirmed; by default the sentence of the server. */
  readonly question?: string
  readonly fields?: ReadonlyArray<RecordField>
  /** Takes the step with what was typed; `force` confirms. */
  readonly run: (typed: Changes, force: { readonly force?: true }) => Promise<unknown>
  readonly onClose: () => void
  readonly words: AppWords
  readonly children?: ComponentChildren
}): JSX.Element => {
  const [isAsked, setAsked] = useState(false)
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={isAsked ? (anyway ?? submit) : submit}
        words={words}
        onSubmit={async (typed) => {
          try {
            const blank = fields.map((field) => ({ ...field, value: "" }))
            await run(changesOf(blank, typed), isAsked ? { force: true } : {})
          } catch (error) {
            const failure = failureOf(error)
            if (failure.type === "confirmation_required") setAsked(true)
            throw failure
          }
          onClose()
        }}
        explain={(failure) =>
          failure.type === "confirmation_required"
            ? (question ?? failure.message)
            : explained(failure, (field) => fields.some(({ name }) => name === field), words)
        }
      >
        {(failure) => (
          <>
            {children}
            {fields.length > 0 && <RecordFields fields={fields} failure={failure} words={words} />}
          </>
        )}
      </Form>
      <button type="button" class="button" onClick={onClose}>
        {words.cancel}
      </button>
    </Dialog>
  )
}
