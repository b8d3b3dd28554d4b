/** Who the visitor is, and how the business reaches them. */
import type { JSX } from "preact"
import { Field } from "../components/Field.tsx"
import { errorOf, Input, type InputProps } from "./Inputs.tsx"
import * as state from "./state.ts"
import type { BookWords } from "./words/en.ts"

/** The notes, which may have several lines. */
const NotesInput = ({ label, words }: Omit<InputProps, "name">): JSX.Element => (
  <Field label={label} error={errorOf("notes", words)}>
    {(control) => (
      <textarea
        {...control}
        value={state.draft.value.notes}
        onInput={({ currentTarget }) => state.change({ notes: currentTarget.value })}
      />
    )}
  </Field>
)

export const Contact = ({ words }: { readonly words: BookWords }): JSX.Element => (
  <section class="card">
    <h2>{words.contact}</h2>
    <Input name="name" label={words.name} words={words} input={{ autocomplete: "name" }} />
    <Input
      name="email"
      label={words.email}
      words={words}
      input={{ autocomplete: "email", type: "email", dir: "ltr", inputMode: "email" }}
    />
    <Input
      name="phone"
      label={words.phone}
      words={words}
      input={{ autocomplete: "tel", type: "tel", dir: "ltr", inputMode: "tel" }}
    />
    {state.product.value === undefined && (
      <Input name="sign" label={words.sign} words={words} input={{ autocomplete: "off" }} />
    )}
    <NotesInput label={words.notes} words={words} />
  </section>
)
