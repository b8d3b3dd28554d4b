/** A tariff is changed as text: a price list as CSV, and the whole tariff as JSON. */
import type { Tariff } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { Failure } from "../../api/Failure.ts"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { RecordFields } from "../parts/Record.tsx"
import { explained, WrongFields } from "../parts/WrongFields.tsx"
import { zoneName } from "./Rules.ts"
import type { TariffsWords } from "./words/en.ts"

interface Parts {
  readonly tariff: Tariff
  readonly take: (tariff: Tariff) => void
  readonly words: TariffsWords
}

/** The wrong lines of a price list, each with its text. */
const WrongLines = ({
  csv,
  failure,
  words
}: {
  readonly csv: string
  readonly failure: Failure
  readonly words: TariffsWords
}) => {
  const lines = csv.split(/\r\n|\r|\n/u)
  const wrong = failure.details.flatMap((detail) => {
    const [, line, column = ""] = /^lines\.(\d+)(?:\.(.+))?$/u.exec(detail.field ?? "") ?? []
    return line === undefined ? [] : [{ field: detail.field, line: Number(line), column }]
  })
  return (
    <ul class="wrong-fields">
      {wrong.map(({ column, field, line }) => (
        <li key={field}>
          <strong>{fill(words.line, { number: format.number(line) })}</strong> <code>{lines[line - 1]}</code>{" "}
          · {column === "" ? "" : `${column}: `}
          {fieldError(failure, field, words)}
        </li>
      ))}
    </ul>
  )
}

export const PriceList = ({ take, tariff, words }: Parts): JSX.Element => {
  const [csv, setCsv] = useState("")
  const terms = [
    {
      name: "from",
      label: words.otherEnd,
      hint: words.otherEndHint,
      value: "",
      options: tariff.zones.map(({ id }) => [id, zoneName(tariff, id)] as const)
    },
    { name: "replace", label: words.replace, kind: "flag" as const, value: "false", isRequired: true },
    { name: "valid_from", label: words.validFrom, kind: "datetime-local" as const, value: "" }
  ]
  return (
    <section class="card record wide">
      <h2>{words.priceList}</h2>
      <p class="muted small">{words.priceListHelp}</p>
      <Form
        submit={words.import}
        words={words}
        onSubmit={async ({ from, replace, valid_from }) => {
          await api.fares.importPrices({
            id: tariff.tariff_id,
            file: new Blob([csv], { type: "text/csv" }),
            ...(from ? { from } : {}),
            ...(replace === "true" ? { replace: true } : {}),
            ...(valid_from ? { valid_from } : {})
          })
          // The response of the import has no tag, with which the next change would find a change of somebody else.
          take(await api.fares.read({ id: tariff.tariff_id }))
          setCsv("")
        }}
        explain={(failure) =>
          failure.details.some(({ field }) => field?.startsWith("lines.")) ? (
            <>
              {failure.message}
              <WrongLines csv={csv} failure={failure} words={words} />
            </>
          ) : (
            explained(failure, (field) => field === "file" || terms.some(({ name }) => name === field), words)
          )
        }
      >
        {(failure) => (
          <>
            <Field label={words.csvFile}>
              {(control) => (
                <input
                  {...control}
                  type="file"
                  accept=".csv,text/csv,text/plain"
                  onChange={({ currentTarget }) =>
                    void currentTarget.files?.[0]?.text().then((text) => setCsv(text))
                  }
                />
              )}
            </Field>
            <Field label={words.csvText} error={fieldError(failure, "file", words)}>
              {(control) => (
                <textarea
                  {...control}
                  class="code"
                  dir="ltr"
                  spellcheck={false}
                  rows={6}
                  placeholder={"from,to,sedan,van"}
                  value={csv}
                  onInput={({ currentTarget }) => setCsv(currentTarget.value)}
                />
              )}
            </Field>
            <RecordFields fields={terms} failure={failure} words={words} />
          </>
        )}
      </Form>
    </section>
  )
}

const textOf = ({ classes, currency, distance_unit, modifiers, name, zones }: Tariff) =>
  JSON.stringify({ name, currency, distance_unit, zones, classes, modifiers }, null, 2)

/** The body of a change; a modifier that was deleted from the text is removed. */
const bodyOf = (text: string, { modifiers }: Tariff, words: TariffsWords) => {
  let body: { readonly modifiers?: object | null }
  try {
    body = JSON.parse(text) as typeof body
  } catch (error) {
    throw new Failure(422, "invalid_request", `${words.noJson} ${(error as Error).message}`)
  }
  const gone = Object.fromEntries(Object.keys(modifiers ?? {}).map((key) => [key, null]))
  return body.modifiers ? { ...body, modifiers: { ...gone, ...body.modifiers } } : body
}

export const WholeText = ({ take, tariff, words }: Parts): JSX.Element => {
  const [text, setText] = useState(() => textOf(tariff))
  const stored = useRef(text)
  // Another part of the screen has saved a version; a text that was typed stays.
  useEffect(() => {
    const before = stored.current
    stored.current = textOf(tariff)
    setText((typed) => (typed === before ? stored.current : typed))
  }, [tariff.version])
  return (
    <section class="card record wide">
      <details>
        <summary>{words.wholeText}</summary>
        <Form
          submit={words.save}
          words={words}
          onSubmit={async ({ json_valid_from }) => {
            const changes = bodyOf(text, tariff, words)
            const after = await api.fares.update(
              {
                id: tariff.tariff_id,
                ...(changes as object),
                ...(json_valid_from ? { valid_from: json_valid_from } : {})
              },
              { ifMatch: tariff }
            )
            take(after)
          }}
          explain={(failure) =>
            failure.isPassing ? undefined : (
              <>
                {failure.message}
                <WrongFields
                  failure={failure}
                  fields={failure.details.filter(({ field }) => typeof field === "string")}
                  words={words}
                />
              </>
            )
          }
        >
          {(failure) => (
            <>
              <Field label={words.wholeText} hint={words.wholeTextHint}>
                {(control) => (
                  <textarea
                    {...control}
                    class="code"
                    dir="ltr"
                    rows={20}
                    spellcheck={false}
                    value={text}
                    onInput={({ currentTarget }) => setText(currentTarget.value)}
                  />
                )}
              </Field>
              <RecordFields
                fields={[
                  { name: "json_valid_from", label: words.validFrom, kind: "datetime-local", value: "" }
                ]}
                failure={failure}
                words={words}
              />
            </>
          )}
        </Form>
      </details>
    </section>
  )
}
