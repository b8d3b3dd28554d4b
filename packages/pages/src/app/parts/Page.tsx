/** The head of a screen: its title, and what can be done there. */
import type { ComponentChildren, JSX } from "preact"

export const Page = ({
  actions,
  children,
  isFull = false,
  title
}: {
  readonly title: ComponentChildren
  readonly actions?: ComponentChildren
  /** Whether it fills the window, and scrolls within. */
  readonly isFull?: boolean
  readonly children: ComponentChildren
}): JSX.Element => (
  <div class={isFull ? "screen full" : "screen"}>
    <div class="screen-head">
      <h1>{title}</h1>
      <div class="row">{actions}</div>
    </div>
    {children}
  </div>
)
