/** Whether the browser has a network. */
import { signal } from "@preact/signals"

export const isOnline = signal(navigator.onLine)

for (const name of ["online", "offline"])
  addEventListener(name, () => {
    isOnline.value = navigator.onLine
  })
