/** A message at the edge of the screen, for a few seconds. Reader programs speak it. */
import { signal } from "@preact/signals"
import type { JSX } from "preact"

interface Message {
  readonly text: string
  /** What can be done about it, such as undoing it. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const message = signal<Message>({ text: "" })
let timer: ReturnType<typeof setTimeout> | undefined

const hide = () => {
  message.value = { text: "" }
}

/** Shows a message; one with an action stays longer. */
export const toast = (text: string, action?: Message["action"]): void => {
  clearTimeout(timer)
  message.value = { text, action }
  timer = setTimeout(hide, action === undefined ? 5000 : 10_000)
}

export const Toasts = (): JSX.Element => {
  const { action, text } = message.value
  return (
    <div class="toast" role="status">
      {text}
      {action !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() => {
            hide()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}
