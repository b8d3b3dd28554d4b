/** Filters of a screen that a person keeps under a name. They are of the person, in every browser. */
import type { SavedView } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { failureText } from "../../components/Failed.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { changed } from "../Undo.ts"
import type { AppWords } from "../words/en.ts"
import { RecordFields } from "./Record.tsx"

/** The filters as a query whose order is always the same; empty values are left out. */
const queryOf = (filters: Readonly<Record<string, string>>) => {
  const found = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""))
  found.sort()
  return found.toString()
}

export const Views = ({
  filters,
  onChoose,
  screen,
  words
}: {
  readonly screen: string
  /** The present filters. */
  readonly filters: Readonly<Record<string, string>>
  /** Applies the filters of a view; the filters that it does not have are absent. */
  readonly onChoose: (filters: Readonly<Record<string, string>>) => void
  readonly words: AppWords
}): JSX.Element => {
  const [views, setViews] = useState<ReadonlyArray<SavedView>>([])
  const [isNaming, setNaming] = useState(false)
  const read = async () => setViews((await api.me.listViews()).filter((view) => view.screen === screen))
  useEffect(() => {
    // Without its views, the screen works as before.
    read().catch(() => undefined)
  }, [screen])
  const present = queryOf(filters)
  const chosen = views.find(({ query }) => query === present)
  const remove = async ({ name, query, view_id }: SavedView) => {
    try {
      await api.me.deleteView({ id: view_id })
      await read()
      changed(fill(words.deleted, { name }), words, async () => {
        await api.me.saveView({ name, screen, query })
        await read()
      })
    } catch (error) {
      toast(failureText(failureOf(error), words))
    }
  }
  return (
    <div class="row views">
      {views.length > 0 && (
        <label>
          <span class="unseen">{words.views}</span>
          <select
            value={chosen === undefined ? "" : String(chosen.view_id)}
            onChange={({ currentTarget: { value } }) => {
              const view = views.find(({ view_id }) => String(view_id) === value)
              onChoose(Object.fromEntries(new URLSearchParams(view?.query ?? "")))
            }}
          >
            <option value="">{words.views}</option>
            {views.map(({ name, view_id }) => (
              <option key={view_id} value={String(view_id)}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen === undefined ? (
        present !== "" && (
          <button type="button" class="button small-button" onClick={() => setNaming(true)}>
            {words.saveView}
          </button>
        )
      ) : (
        <button type="button" class="button small-button" onClick={() => void remove(chosen)}>
          {words.deleteView}
        </button>
      )}
      {isNaming && (
        <Dialog title={words.saveView} onClose={() => setNaming(false)}>
          <Form
            submit={words.save}
            words={words}
            onSubmit={async ({ name = "" }) => {
              await api.me.saveView({ name, screen, query: present })
              setNaming(false)
              await read()
              toast(words.saved)
            }}
          >
            {(failure) => (
              <RecordFields
                fields={[{ name: "name", label: words.name, value: "", isRequired: true }]}
                failure={failure}
                words={words}
              />
            )}
          </Form>
          <button type="button" class="button" onClick={() => setNaming(false)}>
            {words.cancel}
          </button>
        </Dialog>
      )}
    </div>
  )
}
