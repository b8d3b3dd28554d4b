/** A card of settings, which is edited in place: some fields of the business, and how they are sent. */
import type { Settings } from "@livery/client"
import type { JSX } from "preact"
import { Failure } from "../../api/Failure.ts"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { atFields } from "../parts/AtFields.ts"
import type { Reading } from "../parts/Loaded.tsx"
import { type Changes, RecordCard, type RecordField } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { SettingsWords } from "./words/en.ts"

/** What a card shows, and the request that its changed fields make; by default the fields themselves. */
export interface CardKind {
  readonly title: (words: SettingsWords) => string
  readonly fields: (settings: Settings, words: SettingsWords) => ReadonlyArray<RecordField>
  readonly body?: (changes: Changes, settings: Settings) => object
  /** The field of the form that a path in a refusal of the server is about. */
  readonly fieldOf?: (path: string) => string
}

/** A refusal of a text before it is sent, at its field. */
export const wrong = (field: string): Failure =>
  new Failure(422, "validation_error", "", [{ field, issue: "invalid" }])

/** Saves settings. The change can be undone. */
export const saveSettings = async (
  reading: Reading<Settings>,
  settings: Settings,
  body: object,
  words: SettingsWords
): Promise<void> => {
  const after = await api.settings.update(body, { ifMatch: settings })
  reading.set(after)
  const before = Object.fromEntries(Object.entries(settings).filter(([name]) => name in body))
  changed(
    words.saved,
    words,
    Object.keys(before).length === 0
      ? undefined
      : async () => reading.set(await api.settings.update(before, { ifMatch: after }))
  )
}

export const Card = ({
  kind,
  reading,
  settings,
  words
}: {
  readonly kind: CardKind
  readonly reading: Reading<Settings>
  readonly settings: Settings
  readonly words: SettingsWords
}): JSX.Element => {
  const fields = kind.fields(settings, words)
  return (
    <RecordCard
      title={kind.title(words)}
      fields={fields}
      mayEdit={mayWrite("settings")}
      words={words}
      onReload={reading.reload}
      onSave={async (changes) => {
        try {
          await saveSettings(reading, settings, kind.body?.(changes, settings) ?? changes, words)
        } catch (error) {
          throw atFields(
            error,
            fields.map(({ name }) => name),
            kind.fieldOf
          )
        }
      }}
    />
  )
}
