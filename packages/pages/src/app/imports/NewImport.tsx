/** A table is chosen, its columns are mapped, and what would become of each line is shown before it is imported. */
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Field } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import { navigate, query, setQuery } from "../Router.ts"
import { Columns } from "./Columns.tsx"
import { choose, columnsOf, draft, importNow, kinds, maps, missingOf, preview, takeFile } from "./draft.ts"
import { FileDrop } from "./FileDrop.tsx"
import { Outcome, RefusedLines, useImport } from "./Outcome.tsx"
import type { ImportWords } from "./words/en.ts"

type Worded = { readonly words: ImportWords }

/** Why a file was refused, with what to do about it. */
const fileProblem = (failure: Failure, words: ImportWords): string => {
  if (failure.status === 413) return words.tooLarge
  const issue = failure.details.find(({ field }) => field === "file")?.issue
  if (issue === "required") return words.noLines
  if (issue === "too_long") return words.tooManyLines
  if (issue === undefined) return failure.isPassing ? failureText(failure, words) : failure.message
  const line = /\bLine (\d+): /u.exec(failure.message)?.[1]
  if (line === undefined) return words.notATable
  return `${words.notATable} ${fill(words.faultAt, { line: format.number(Number(line)) })}`
}

/** The name of the file and the number of its lines. */
const Found = ({ words }: Worded) => {
  const { file, isReading, table } = draft.value
  if (file === undefined) return null
  return (
    <p role="status">
      <strong>
        <bdi>{file.name}</bdi>
      </strong>{" "}
      <span class="muted">
        {isReading && words.reading}
        {table !== undefined && fill(words.hasLines, { count: format.number(table.lines) })}
      </span>
    </p>
  )
}

const Source = ({ words }: Worded) => {
  const { failure, isReading, kind, map } = draft.value
  return (
    <section class="card record">
      <p class="muted small">{words.help}</p>
      <div class="form-grid">
        <Field label={words.kind} hint={words.kindHint}>
          {(control) => (
            <select
              {...control}
              value={kind}
              onChange={({ currentTarget }) => setQuery({ as: currentTarget.value, status: undefined })}
            >
              {kinds.map((name) => (
                <option key={name} value={name}>
                  {words[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.map} hint={words.mapHint}>
          {(control) => (
            <select
              {...control}
              value={map}
              onChange={({ currentTarget: { value } }) =>
                choose({ map: maps.find((name) => name === value) ?? "" })
              }
            >
              {maps.map((name) => (
                <option key={name} value={name}>
                  {words[`map_${name === "" ? "any" : name}`]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field
        label={words.file}
        hint={words.fileHint}
        error={failure === undefined ? undefined : fileProblem(failure, words)}
      >
        {(control) => (
          <FileDrop control={control} hint={words.dropHint} onFile={(file) => void takeFile(file)} />
        )}
      </Field>
      <Found words={words} />
      {isReading && <Waiting words={words} heights={[40, 44, 44]} />}
    </section>
  )
}

const Preview = ({ id, words }: Worded & { readonly id: number }) => {
  const reading = useImport(id)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [id])
  return (
    <section class="card record import-part" aria-labelledby="preview">
      <h2 id="preview" ref={heading} tabIndex={-1}>
        {words.preview}
      </h2>
      <Loaded reading={reading} words={words} heights={[44, 44]}>
        {(current) => {
          const { changed, made, refused, status } = current
          const count = made + changed
          return (
            <>
              {status === "finished" && count > 0 && (
                <Form
                  submit={fill(words.importNow, { count: format.number(count) })}
                  words={words}
                  onSubmit={async () => navigate(`/import/${await importNow()}`)}
                  explain={(failure) => fileProblem(failure, words)}
                >
                  {() => refused > 0 && <p>{words.refusedLater}</p>}
                </Form>
              )}
              {status === "finished" && count === 0 && <p>{words.nothingToImport}</p>}
              <Outcome current={current} words={words} />
              {status === "finished" && refused > 0 && (
                <div class="row">
                  <RefusedLines current={current} words={words} />
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

export const NewImport = ({ words }: Worded): JSX.Element => {
  const { preview: id, table } = draft.value
  const asked = kinds.find((name) => name === query.value.get("as"))
  useEffect(() => {
    if (asked !== undefined && asked !== draft.value.kind) choose({ kind: asked })
  }, [asked])
  const isReady = missingOf(draft.value).length === 0 && columnsOf(draft.value).every((it) => !it.isTaken)
  return (
    <>
      <Source words={words} />
      {table !== undefined && (
        <section class="card record import-part" aria-labelledby="columns">
          <h2 id="columns">{words.columns}</h2>
          <p class="muted small">{words.columnsHelp}</p>
          <Form
            submit={words.preview}
            words={words}
            onSubmit={async () => {
              if (isReady) await preview()
              else
                document.querySelector<HTMLElement>(".columns [aria-invalid=true], .columns select")?.focus()
            }}
            explain={(failure) => fileProblem(failure, words)}
          >
            {() => <Columns words={words} />}
          </Form>
        </section>
      )}
      {id !== undefined && <Preview key={id} id={id} words={words} />}
    </>
  )
}
