/** The API keys of the business. A key is shown in full once, when it is made. */
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { RecordFields } from "../parts/Record.tsx"
import { Secret } from "./Secret.tsx"
import type { SettingsWords } from "./words/en.ts"

export const Keys = ({ words }: { readonly words: SettingsWords }): JSX.Element => {
  const reading = useReading("keys", () => api.me.listApiKeys())
  const [secret, setSecret] = useState<string>()
  const [deletions, setDeletions] = useState(0)
  const create = async () => {
    try {
      setSecret((await api.me.createApiKey()).api_key)
      reading.reload()
    } catch (error) {
      toast(failureText(failureOf(error), words))
    }
  }
  return (
    <Loaded reading={reading} words={words}>
      {(keys) => (
        <>
          <section class="card record" aria-labelledby="keys">
            <div class="record-head">
              <h2 id="keys">{words.keys}</h2>
              {mayWrite("api_keys") && (
                <button type="button" class="button small-button" onClick={() => void create()}>
                  {words.newKey}
                </button>
              )}
            </div>
            {keys.length === 0 ? (
              <p class="muted">{words.noKeys}</p>
            ) : (
              <ul class="rows">
                {keys.map(({ api_key, created_date, last_used_at }) => (
                  <li key={api_key}>
                    <code>{api_key}</code>
                    <span class="muted small">
                      {created_date !== null && `${words.madeAt} ${momentOf(created_date)} · `}
                      {last_used_at === null ? words.neverUsed : `${words.usedAt} ${momentOf(last_used_at)}`}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </section>
          {mayWrite("api_keys") && keys.length > 0 && (
            <section class="card record" aria-labelledby="delete-key">
              <h2 id="delete-key">{words.deleteKey}</h2>
              <Form
                key={deletions}
                submit={words.delete}
                words={words}
                onSubmit={async ({ api_key = "" }) => {
                  await api.me.deleteApiKey({ api_key: api_key.trim() })
                  toast(words.keyDeleted)
                  setDeletions(deletions + 1)
                  reading.reload()
                }}
              >
                {(failure) => (
                  <RecordFields
                    failure={failure}
                    words={words}
                    fields={[
                      {
                        name: "api_key",
                        label: words.wholeKey,
                        hint: words.wholeKeyHint,
                        value: "",
                        isRequired: true
                      }
                    ]}
                  />
                )}
              </Form>
            </section>
          )}
          {secret !== undefined && (
            <Secret title={words.newKey} secret={secret} words={words} onClose={() => setSecret(undefined)} />
          )}
        </>
      )}
    </Loaded>
  )
}
