/** The columns of the file: the first lines of each, and the field that it is read as. */
import type { JSX } from "preact"
import { Field } from "../../components/Field.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { type ChosenColumn, chooseField, columnsOf, draft, missingOf } from "./draft.ts"
import { fieldName } from "./Texts.ts"
import type { ImportWords } from "./words/en.ts"

type Worded = { readonly words: ImportWords }

const unreadText = ({ unread }: ChosenColumn, words: ImportWords) =>
  unread === "why" ? words.isWhy : unread === "repeated" ? words.isRepeated : undefined

const FieldChoice = ({
  column,
  fields,
  words
}: Worded & { readonly column: ChosenColumn; readonly fields: ReadonlyArray<string> }) => {
  const { field, header, isTaken } = column
  const unread = unreadText(column, words)
  if (unread !== undefined) return <span class="muted">{unread}</span>
  return (
    <Field
      label={fill(words.fieldOf, { column: header || words.noHeader })}
      error={isTaken && field !== null ? fill(words.isTaken, { field: fieldName(field, words) }) : undefined}
    >
      {(control) => (
        <select
          {...control}
          value={field ?? ""}
          onChange={({ currentTarget: { value } }) => chooseField(header, value === "" ? null : value)}
        >
          <option value="">{words.leaveOut}</option>
          {fields.map((name) => (
            <option key={name} value={name}>
              {fieldName(name, words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The groups of fields of which one is needed, in words. */
const Missing = ({ words }: Worded) => {
  const groups = missingOf(draft.value)
  return groups.length === 0 ? null : (
    <Notice tone="bad" role="alert">
      {words.missing}
      <ul>
        {groups.map((group) => (
          <li key={group.join()}>{group.map((field) => fieldName(field, words)).join(words.or)}</li>
        ))}
      </ul>
    </Notice>
  )
}

export const Columns = ({ words }: Worded): JSX.Element | null => {
  const { table } = draft.value
  if (table === undefined) return null
  return (
    <>
      <Missing words={words} />
      <table class="list columns">
        <caption class="unseen">{words.columns}</caption>
        <thead>
          <tr>
            <th scope="col">{words.column}</th>
            <th scope="col">{words.firstLines}</th>
            <th scope="col">{words.readAs}</th>
          </tr>
        </thead>
        <tbody>
          {columnsOf(draft.value).map((column, at) => (
            <tr key={`${at} ${column.header}`} class={column.field === null ? "left-out" : undefined}>
              <th scope="row">
                <bdi>{column.header || words.noHeader}</bdi>
              </th>
              <td data-label={words.firstLines}>
                <ul class="first-lines">
                  {table.first_lines.map(({ cells, line }) =>
                    cells[at] ? (
                      <li key={line}>
                        <bdi>{cells[at]}</bdi>
                      </li>
                    ) : null
                  )}
                </ul>
              </td>
              <td data-label={words.readAs}>
                <FieldChoice column={column} fields={table.fields} words={words} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
