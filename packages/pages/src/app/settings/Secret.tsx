/** A secret that is shown once: an API key, the secret of a webhook, or the address of callbacks. */
import type { JSX } from "preact"
import { Dialog } from "../../components/Dialog.tsx"
import { toast } from "../../components/Toast.tsx"
import type { SettingsWords } from "./words/en.ts"

export const Secret = ({
  help,
  onClose,
  secret,
  title,
  words
}: {
  readonly title: string
  readonly secret: string
  /** What it is for. */
  readonly help?: string
  readonly onClose: () => void
  readonly words: SettingsWords
}): JSX.Element => (
  <Dialog title={title} onClose={onClose}>
    <p>{help ?? words.onlyOnce}</p>
    <p>
      <code class="secret">{secret}</code>
    </p>
    <div class="actions">
      <button
        type="button"
        class="button primary"
        onClick={() =>
          void navigator.clipboard.writeText(secret).then(
            () => toast(words.copiedHere),
            () => toast(words.notCopied)
          )
        }
      >
        {words.copy}
      </button>
      <button type="button" class="button" onClick={onClose}>
        {words.close}
      </button>
    </div>
  </Dialog>
)
