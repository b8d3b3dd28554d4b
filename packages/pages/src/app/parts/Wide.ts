/** How wide the window is. */
import { type ReadonlySignal, signal } from "@preact/signals"

/**
 * Whether the window has at least this width, in pixels. It is made once for a module: a listener that a component adds after its
 * first drawing would miss a change in between.
 */
export const isAtLeast = (pixels: number): ReadonlySignal<boolean> => {
  const query = matchMedia(`(width >= ${pixels}px)`)
  const matches = signal(query.matches)
  query.addEventListener("change", () => {
    matches.value = query.matches
  })
  return matches
}
