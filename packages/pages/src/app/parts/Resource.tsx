/**
 * The screen of one kind of record, such as customers: the list at `/app/customers`, a new record at `/app/customers/new`, and each
 * record at `/app/customers/17`.
 */
import type { List } from "@livery/client"
import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { useCommands } from "../Keys.ts"
import { type Area, mayWrite } from "../Member.ts"
import { hrefOf, navigate, query } from "../Router.ts"
import type { ScreenProps } from "../screens.ts"
import { changed } from "../Undo.ts"
import type { AppWords } from "../words/en.ts"
import { type Choice, Filters, filtersOf } from "./Filters.tsx"
import { type ImportedKind, ImportLink } from "./ImportLink.tsx"
import { Loaded, type Reading, useReading } from "./Loaded.tsx"
import { Page } from "./Page.tsx"
import { usePages } from "./Pages.ts"
import { type Changes, changesOf, RecordCard, type RecordField, RecordFields } from "./Record.tsx"
import { Removal } from "./Removal.tsx"
import { type Column, Table } from "./Table.tsx"

/** A kind of record: how it is read and changed, and what is shown of it. */
export interface Resource<A, W extends AppWords> {
  /** The first part of its address. */
  readonly name: string
  readonly area: Area
  readonly title: (words: W) => string
  /** What a new record is called: "New customer". */
  readonly newTitle: (words: W) => string
  readonly idOf: (record: A) => number
  readonly nameOf: (record: A) => string
  readonly list: (filters: Readonly<Record<string, string>>) => List<A>
  readonly read: (id: number) => Promise<A>
  readonly create?: (input: Changes) => Promise<A>
  readonly update: (id: number, changes: Changes, before: A) => Promise<A>
  readonly remove?: (id: number, force: boolean) => Promise<unknown>
  readonly columns: (words: W) => ReadonlyArray<Column<A>>
  /** Whether the list has a search. */
  readonly hasSearch: boolean
  readonly choices?: (words: W) => ReadonlyArray<Choice>
  /** The fields of the record; without a record, the fields of a new one. */
  readonly fields: (record: A | undefined, words: W) => ReadonlyArray<RecordField>
  /** What else the screen of a record shows. */
  readonly more?: (record: A, words: W, reading: Reading<A>) => ComponentChildren
  /** What can be done with a record beside changing and deleting it. */
  readonly actions?: (record: A, words: W, reading: Reading<A>) => ComponentChildren
  /** What the lines of a table are that brings such records. */
  readonly imported?: ImportedKind
  /** What to do first if there is no record. */
  readonly empty: (words: W) => ComponentChildren
}

interface Parts<A, W extends AppWords> {
  readonly resource: Resource<A, W>
  readonly words: W
}

const Records = <A, W extends AppWords>({ resource, words }: Parts<A, W>) => {
  const { area, choices, columns, create, empty, hasSearch, idOf, imported, list, name, newTitle, title } =
    resource
  const filters = filtersOf([
    ...(hasSearch ? ["search"] : []),
    ...(choices?.(words) ?? []).map((it) => it.name)
  ])
  const pages = usePages(JSON.stringify(filters), () => list(filters))
  const mayAdd = create !== undefined && mayWrite(area)
  useCommands(mayAdd ? [{ key: "n", label: newTitle(words), run: () => navigate(`/${name}/new`) }] : [])
  const add = (
    <>
      {imported !== undefined && <ImportLink kind={imported} words={words} />}
      {mayAdd && (
        <a class="button primary" href={hrefOf(`/${name}/new`)}>
          {newTitle(words)}
        </a>
      )}
    </>
  )
  return (
    <Page title={title(words)} actions={add}>
      {(hasSearch || choices !== undefined) && (
        <Filters words={words} hasSearch={hasSearch} choices={choices?.(words) ?? []} />
      )}
      <Table
        label={title(words)}
        pages={pages}
        columns={columns(words)}
        keyOf={idOf}
        hrefOf={(record) => hrefOf(`/${name}/${idOf(record)}`)}
        isFiltered={Object.keys(filters).length > 0}
        empty={
          <>
            <p class="muted">{empty(words)}</p>
            <div class="row">{add}</div>
          </>
        }
        words={words}
      />
    </Page>
  )
}

const NewRecord = <A, W extends AppWords>({ resource, words }: Parts<A, W>) => {
  const { create, fields, idOf, name, nameOf, newTitle } = resource
  const own = fields(undefined, words).map((field) => ({
    ...field,
    value: query.value.get(field.name) ?? field.value
  }))
  // What the address or the screen proposes is sent too.
  const blank = own.map((field) => ({ ...field, value: "" }))
  return (
    <Page title={newTitle(words)}>
      <section class="card record">
        <Form
          submit={words.create}
          words={words}
          onSubmit={async (typed) => {
            const record = await create?.(changesOf(blank, typed))
            if (record === undefined) return
            toast(fill(words.created, { name: nameOf(record) }))
            navigate(`/${name}/${idOf(record)}`, { replace: true })
          }}
        >
          {(failure) => <RecordFields fields={own} failure={failure} words={words} />}
        </Form>
      </section>
    </Page>
  )
}

/** The values that fields had before they were changed. */
const beforeOf = (fields: ReadonlyArray<RecordField>, changes: Changes) =>
  changesOf(
    fields.filter(({ name }) => name in changes).map((field) => ({ ...field, value: "\0" })),
    Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  )

const OneRecord = <A, W extends AppWords>({ id, resource, words }: Parts<A, W> & { readonly id: number }) => {
  const { actions, area, fields, more, name, nameOf, read, remove, update } = resource
  const reading = useReading(`${name} ${id}`, () => read(id))
  const [isRemoving, setRemoving] = useState(false)
  const mayEdit = mayWrite(area)
  return (
    <Loaded reading={reading} words={words}>
      {(record) => {
        const own = fields(record, words)
        const save = async (changes: Changes) => {
          const after = await update(id, changes, record)
          reading.set(after)
          changed(words.saved, words, async () => {
            reading.set(await update(id, beforeOf(own, changes), after))
          })
        }
        return (
          <Page
            title={<bdi>{nameOf(record)}</bdi>}
            actions={
              <>
                {actions?.(record, words, reading)}
                {mayEdit && remove !== undefined && (
                  <button type="button" class="button" onClick={() => setRemoving(true)}>
                    {words.delete}
                  </button>
                )}
              </>
            }
          >
            {!mayEdit && <p class="muted">{words.readOnly}</p>}
            <div class="record-grid">
              <RecordCard
                title={words.details}
                fields={own}
                mayEdit={mayEdit}
                onSave={save}
                onReload={reading.reload}
                words={words}
              />
              {more?.(record, words, reading)}
            </div>
            {isRemoving && (
              <Removal
                name={nameOf(record)}
                words={words}
                onClose={() => setRemoving(false)}
                onRemove={async (force) => {
                  await remove?.(id, force)
                  toast(fill(words.deleted, { name: nameOf(record) }))
                  navigate(`/${name}`, { replace: true })
                }}
              />
            )}
          </Page>
        )
      }}
    </Loaded>
  )
}

/** The screen of a kind of record. */
export const resourceScreen =
  <A, W extends AppWords>(resource: Resource<A, W>) =>
  ({ rest: [id], words }: ScreenProps<W>): JSX.Element => {
    if (id === "new" && resource.create !== undefined) return <NewRecord resource={resource} words={words} />
    return id === undefined ? (
      <Records resource={resource} words={words} />
    ) : (
      <OneRecord key={id} id={Number(id)} resource={resource} words={words} />
    )
  }
