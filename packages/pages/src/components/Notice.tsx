/** A short message with an icon: its colour alone never tells the state. */
import type { ComponentChildren, JSX } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

/** The meaning of a message. */
export type Tone = "plain" | "good" | "warn" | "bad"

const icons: Readonly<Record<Tone, IconName>> = { plain: "info", good: "check", warn: "alert", bad: "cross" }

/** A message in the flow of the page. `role` lets reader programs speak it when it appears. */
export const Notice = ({
  children,
  icon,
  role,
  tone = "plain"
}: {
  readonly children: ComponentChildren
  readonly icon?: IconName
  readonly role?: "status" | "alert"
  readonly tone?: Tone
}): JSX.Element => (
  <div class={`notice ${tone}`} role={role}>
    <Icon name={icon ?? icons[tone]} />
    <div>{children}</div>
  </div>
)

/** A state in one or two words. */
export const Badge = ({
  children,
  icon,
  tone = "plain"
}: {
  readonly children: ComponentChildren
  readonly icon?: IconName | undefined
  readonly tone?: Tone
}): JSX.Element => (
  <span class={`badge ${tone}`}>
    <Icon name={icon ?? icons[tone]} />
    {children}
  </span>
)
