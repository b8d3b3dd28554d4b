/** Imports of tables: a new one and the earlier ones at `/app/import`, and each at `/app/import/17`. */
import type { Import } from "@livery/client"
import type { JSX } from "preact"
import { Badge, type Tone } from "../../components/Notice.tsx"
import { Field } from "../../components/Field.tsx"
import { format } from "../../i18n/Language.ts"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { Page } from "../parts/Page.tsx"
import { usePages } from "../parts/Pages.ts"
import { Table } from "../parts/Table.tsx"
import { hrefOf, navigate } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { mend } from "./draft.ts"
import { FileDrop } from "./FileDrop.tsx"
import "./imports.css"
import { NewImport } from "./NewImport.tsx"
import { Outcome, RefusedLines, useImport } from "./Outcome.tsx"
import type { ImportWords } from "./words/en.ts"

type Worded = { readonly words: ImportWords }

const tones: Readonly<Record<Import["status"], Tone>> = { running: "plain", finished: "good", failed: "bad" }

const Earlier = ({ words }: Worded) => {
  const pages = usePages<Import>("imports", () => api.imports.list({ dry_run: false, per_page: 20 }))
  const number = (name: "lines" | "made" | "changed" | "matched" | "refused", label: string) => ({
    name,
    label,
    isNumber: true,
    cell: (one: Import) => format.number(one[name])
  })
  return (
    <section class="stack import-part" aria-labelledby="earlier">
      <h2 id="earlier">{words.earlier}</h2>
      <Table
        label={words.earlier}
        pages={pages}
        keyOf={({ import_id }) => import_id}
        hrefOf={({ import_id }) => hrefOf(`/import/${import_id}`)}
        empty={<p class="muted">{words.noneEarlier}</p>}
        words={words}
        columns={[
          { name: "date", label: words.date, cell: ({ created_at }) => momentOf(created_at) },
          { name: "kind", label: words.what, cell: ({ as }) => words[as] },
          {
            name: "status",
            label: words.status,
            cell: ({ status }) => <Badge tone={tones[status]}>{words[`import_${status}`]}</Badge>
          },
          number("lines", words.lines),
          number("made", words.line_made),
          number("changed", words.line_changed),
          number("matched", words.line_matched),
          number("refused", words.line_refused)
        ]}
      />
    </section>
  )
}

/** The refused lines are taken as a file, mended, and dropped again. */
const Mending = ({ current, words }: Worded & { readonly current: Import }) => (
  <section class="card record" aria-labelledby="mending">
    <h2 id="mending">{fill(words.refusedCount, { count: format.number(current.refused) })}</h2>
    <p>{words.mendHelp}</p>
    <div class="row">
      <RefusedLines current={current} words={words} />
    </div>
    {mayWrite("settings") && (
      <Field label={words.mendedFile}>
        {(control) => (
          <FileDrop
            control={control}
            hint={words.dropHint}
            onFile={(file) => {
              void mend(current.as, current.columns, file)
              navigate(`/import?as=${current.as}`)
            }}
          />
        )}
      </Field>
    )}
  </section>
)

const One = ({ id, words }: Worded & { readonly id: number }) => {
  const reading = useImport(id)
  return (
    <Loaded reading={reading} words={words}>
      {(current) => (
        <Page
          title={fill(words.importOf, { kind: words[current.as] })}
          actions={
            <a class="button" href={hrefOf("/import")}>
              {words.allImports}
            </a>
          }
        >
          <p class="muted">{momentOf(current.created_at)}</p>
          {current.status !== "running" && current.refused > 0 && <Mending current={current} words={words} />}
          <section class="card record" aria-label={words.outcome}>
            <Outcome current={current} words={words} />
          </section>
        </Page>
      )}
    </Loaded>
  )
}

const Imports = ({ rest: [id], words }: ScreenProps<ImportWords>): JSX.Element =>
  id === undefined ? (
    <Page title={words.imports}>
      {mayWrite("settings") ? <NewImport words={words} /> : <p class="muted">{words.readOnly}</p>}
      <Earlier words={words} />
    </Page>
  ) : (
    <One key={id} id={Number(id)} words={words} />
  )

export const screen: Screen<ImportWords> = Imports
