/** A part of a record that is edited in place: facts, which `Edit` turns into a form and back. */
import type { ComponentChildren, JSX, RefObject } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Facts } from "../../components/Facts.tsx"
import { type ControlProps, Field, fieldError } from "../../components/Field.tsx"
import { Form, type Typed } from "../../components/Form.tsx"
import { locale } from "../../i18n/Language.ts"
import { numberIn } from "../../i18n/Numbers.ts"
import { guard } from "../Router.ts"
import type { AppWords } from "../words/en.ts"

/** A field of a record. */
export interface RecordField {
  readonly name: string
  readonly label: string
  /** What is shown; by default the text of the form. */
  readonly shown?: ComponentChildren
  /** What the form begins with. */
  readonly value: string
  readonly hint?: string
  /** How it is typed. With options, one of them is chosen. Without a kind, it is a line of text; `fixed` is shown alone. */
  readonly kind?: "text" | "area" | "number" | "flag" | "date" | "datetime-local" | "email" | "tel" | "fixed"
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
  readonly isRequired?: boolean
  /** Whether only the form has it: it asks how to save, and is no fact of the record. */
  readonly isFormOnly?: boolean
}

const yesOrNo = ({ no, yes }: AppWords) =>
  [
    ["true", yes],
    ["false", no]
  ] as const

const Control = ({
  control,
  field,
  words
}: {
  readonly control: ControlProps
  readonly field: RecordField
  readonly words: AppWords
}) => {
  const { isRequired, kind = "text", name, options, value } = field
  const common = { ...control, name, required: isRequired ?? false }
  if (options !== undefined || kind === "flag")
    return (
      <select {...common} defaultValue={value}>
        {isRequired !== true && <option value="" />}
        {(options ?? yesOrNo(words)).map(([key, label]) => (
          <option key={key} value={key} selected={key === value}>
            {label}
          </option>
        ))}
      </select>
    )
  if (kind === "area") return <textarea {...common} defaultValue={value} dir="auto" />
  if (kind === "number" || kind === "fixed")
    return <input {...common} inputMode="decimal" defaultValue={value} />
  const typed = { ...common, type: kind, defaultValue: value, dir: "auto" } as JSX.IntrinsicElements["input"]
  return <input {...typed} />
}

/** The fields of a form, each with what is wrong with it. */
export const RecordFields = ({
  failure,
  fields,
  words
}: {
  readonly fields: ReadonlyArray<RecordField>
  readonly failure: Failure | undefined
  readonly words: AppWords
}): JSX.Element => (
  <div class="form-grid">
    {fields
      .filter(({ kind }) => kind !== "fixed")
      .map((field) => (
        <Field
          key={field.name}
          label={field.label}
          hint={field.hint}
          error={fieldError(failure, field.name, words)}
        >
          {(control) => <Control control={control} field={field} words={words} />}
        </Field>
      ))}
  </div>
)

/** Values for a request. */
export type Changes = Readonly<Record<string, string | number | boolean | null>>

/** A typed text as the value of its field; a text that is none is sent as it is, so that the server says so at the field. */
const valueOf = (text: string, { kind, options }: RecordField) => {
  if (text === "") return null
  if (kind === "flag") return text === "true"
  if (kind !== "number" && !(options?.every(([value]) => /^\d*$/u.test(value)) ?? false)) return text
  const number = numberIn(text, locale)
  return Number.isNaN(number) ? text : number
}

/** The values of the fields whose text was changed, with null for one that was emptied. */
export const changesOf = (fields: ReadonlyArray<RecordField>, typed: Typed): Changes =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = typed[field.name]?.trim()
      return text === undefined || text === field.value ? [] : [[field.name, valueOf(text, field)]]
    })
  )

/**
 * Moves to the first field of a card when its form opens, and back to its button `data-edit` when the form closes. Before the next
 * key: one that is typed at once goes to the first field, and a focus that comes later would take it away.
 */
export const useEditFocus = (isEditing: boolean): RefObject<HTMLElement | null> => {
  const card = useRef<HTMLElement>(null)
  const wasEditing = useRef(isEditing)
  useLayoutEffect(() => {
    if (wasEditing.current === isEditing) return
    wasEditing.current = isEditing
    card.current?.querySelector<HTMLElement>(isEditing ? "input, select, textarea" : "[data-edit]")?.focus()
  }, [isEditing])
  return card
}

export const RecordCard = ({
  fields,
  mayEdit,
  onReload,
  onSave,
  title,
  words
}: {
  readonly title: string
  readonly fields: ReadonlyArray<RecordField>
  readonly mayEdit: boolean
  /** Saves the changed fields. With `ifMatch`, a change of somebody else is found. */
  readonly onSave: (changes: Changes) => Promise<unknown>
  readonly onReload: () => void
  readonly words: AppWords
}): JSX.Element => {
  const id = useId()
  const [isEditing, setEditing] = useState(false)
  const card = useEditFocus(isEditing)
  const isDirty = useRef(false)
  useLayoutEffect(() => {
    if (!isEditing) return undefined
    isDirty.current = false
    // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
    return guard(() => !isDirty.current || confirm(words.unsaved))
  }, [isEditing])
  const end = () => setEditing(false)
  return (
    <section
      class="card record"
      aria-labelledby={id}
      ref={card}
      onInput={() => {
        isDirty.current = true
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isEditing && !isDirty.current) end()
      }}
    >
      <div class="record-head">
        <h2 id={id}>{title}</h2>
        {mayEdit && !isEditing && (
          <button type="button" class="button small-button" data-edit onClick={() => setEditing(true)}>
            {words.edit}
            <span class="unseen"> {title}</span>
          </button>
        )}
      </div>
      {isEditing ? (
        <>
          <Form
            submit={words.save}
            words={words}
            onSubmit={async (typed) => {
              const changes = changesOf(fields, typed)
              if (Object.keys(changes).length > 0) await onSave(changes)
              end()
            }}
            explain={(failure) =>
              failure.type === "conflict" ? (
                <>
                  {words.changedMeanwhile}{" "}
                  <button type="button" class="link" onClick={onReload}>
                    {words.reload}
                  </button>
                </>
              ) : undefined
            }
          >
            {(failure) => <RecordFields fields={fields} failure={failure} words={words} />}
          </Form>
          <button type="button" class="button" onClick={end}>
            {words.cancel}
          </button>
        </>
      ) : (
        <>
          <Facts
            facts={fields
              .filter(({ isFormOnly }) => isFormOnly !== true)
              .map(({ label, shown, value }) => [label, shown ?? (value && <bdi key={label}>{value}</bdi>)])}
          />
          {fields.every(({ isFormOnly, shown, value }) => isFormOnly === true || (shown ?? value) === "") && (
            <p class="muted">{words.empty}</p>
          )}
        </>
      )}
    </section>
  )
}
