/** A screen that has nothing to show: why, and the next step. */
import type { ComponentChildren, JSX } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

export const EmptyState = ({
  children,
  icon,
  title
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}): JSX.Element => (
  <div class="empty">
    <Icon name={icon} />
    <h1>{title}</h1>
    {children}
  </div>
)
