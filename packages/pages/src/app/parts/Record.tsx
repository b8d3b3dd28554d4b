/** A part of a record that is edited in place: facts, which `Edit` turns into a form and back. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Facts } from "../../components/Facts.tsx"
import { type ControlProps, Field, fieldError } from "../../components/Field.tsx"
import { Form, type Typed } from "../../components/Form.tsx"
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
  readonly kind?: "text" | "area" | "number" | "date" | "datetime-local" | "email" | "tel" | "fixed"
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
  readonly isRequired?: boolean
}

const Control = ({ control, field }: { readonly control: ControlProps; readonly field: RecordField }) => {
  const { isRequired, kind = "text", name, options, value } = field
  const common = { ...control, name, required: isRequired ?? false }
  if (options !== undefined)
    return (
      <select {...common} defaultValue={value}>
        {isRequired !== true && <option value="" />}
        {options.map(([key, label]) => (
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
          {(control) => <Control control={control} field={field} />}
        </Field>
      ))}
  </div>
)

/** The fields whose text was changed, with null for one that was emptied. */
export const changesOf = (
  fields: ReadonlyArray<RecordField>,
  typed: Typed
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    fields.flatMap(({ name, value }) => {
      const text = typed[name]?.trim()
      return text === undefined || text === value ? [] : [[name, text === "" ? null : text]]
    })
  )

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
  readonly onSave: (changes: Readonly<Record<string, string | null>>) => Promise<unknown>
  readonly onReload: () => void
  readonly words: AppWords
}): JSX.Element => {
  const id = useId()
  const [isEditing, setEditing] = useState(false)
  const card = useRef<HTMLElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  const isDirty = useRef(false)
  useEffect(() => {
    if (!isEditing) return undefined
    isDirty.current = false
    card.current?.querySelector<HTMLElement>("input, select, textarea")?.focus()
    // oxlint-disable-next-line no-alert -- the browser's own question cannot be missed
    return guard(() => !isDirty.current || confirm(words.unsaved))
  }, [isEditing])
  const end = () => {
    setEditing(false)
    requestAnimationFrame(() => edit.current?.focus())
  }
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
          <button type="button" class="button small-button" ref={edit} onClick={() => setEditing(true)}>
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
        <Facts
          facts={fields.map(({ label, shown, value }) => [label, shown ?? <bdi key={label}>{value}</bdi>])}
        />
      )}
    </section>
  )
}
