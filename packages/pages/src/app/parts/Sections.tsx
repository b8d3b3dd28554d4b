/** The parts of a screen, as links: the present one is marked. */
import type { JSX } from "preact"
import { hrefOf } from "../Router.ts"

export const Sections = ({
  current,
  label,
  links
}: {
  readonly label: string
  readonly current: string
  readonly links: ReadonlyArray<readonly [path: string, label: string]>
}): JSX.Element => (
  <nav class="sections" aria-label={label}>
    {links.map(([path, text]) => (
      <a key={path} href={hrefOf(path)} aria-current={path === current ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
)
