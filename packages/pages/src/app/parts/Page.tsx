/** The head of a screen: its title, and what can be done there. */
import type { ComponentChildren, JSX } from "preact"

export const Page = ({
  actions,
  children,
  title
}: {
  readonly title: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}): JSX.Element => (
  <div class="screen">
    <div class="screen-head">
      <h1>{title}</h1>
      <div class="row">{actions}</div>
    </div>
    {children}
  </div>
)
