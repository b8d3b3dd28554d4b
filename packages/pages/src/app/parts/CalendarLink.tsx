/** The secret link of a calendar: made, shown once, ended. */
import type { JSX } from "preact"
import { useId, useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { failureText } from "../../components/Failed.tsx"
import { toast } from "../../components/Toast.tsx"
import type { AppWords } from "../words/en.ts"

/** How a link is made and ended. */
interface Props {
  readonly create: () => Promise<{ readonly url: string }>
  readonly end: () => Promise<{ readonly deleted: boolean }>
  readonly words: AppWords
}

export const CalendarLink = ({ create, end, words }: Props): JSX.Element => {
  const id = useId()
  const [url, setUrl] = useState<string>()
  const tried = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      toast(failureText(failureOf(error), words))
    }
  }
  const close = () => setUrl(undefined)
  return (
    <section class="card record" aria-labelledby={id}>
      <div class="record-head">
        <h2 id={id}>{words.calendar}</h2>
        <div class="row">
          <button
            type="button"
            class="button small-button"
            onClick={() => void tried(async () => setUrl((await create()).url))}
          >
            {words.newLink}
          </button>
          <button
            type="button"
            class="button small-button"
            onClick={() =>
              void tried(async () => toast((await end()).deleted ? words.linkEnded : words.noLink))
            }
          >
            {words.endLink}
          </button>
        </div>
      </div>
      <p class="muted">{words.calendarHint}</p>
      {url !== undefined && (
        <Dialog title={words.calendar} onClose={close}>
          <p>{words.linkOnce}</p>
          <p>
            <code class="secret">{url}</code>
          </p>
          <div class="actions">
            <button
              type="button"
              class="button primary"
              onClick={() =>
                void navigator.clipboard.writeText(url).then(
                  () => toast(words.copiedHere),
                  () => toast(words.notCopied)
                )
              }
            >
              {words.copy}
            </button>
            <button type="button" class="button" onClick={close}>
              {words.close}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  )
}
