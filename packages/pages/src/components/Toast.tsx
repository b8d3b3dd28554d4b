/** A message at the edge of the screen, for a few seconds. Reader programs speak it. */
import { signal } from "@preact/signals"
import type { JSX } from "preact"

const message = signal("")
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a message. */
export const toast = (text: string): void => {
  clearTimeout(timer)
  message.value = text
  timer = setTimeout(() => {
    message.value = ""
  }, 5000)
}

export const Toasts = (): JSX.Element => (
  <div class="toast" role="status">
    {message.value}
  </div>
)
