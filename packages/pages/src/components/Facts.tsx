/** A list of names and values. */
import type { ComponentChildren, JSX } from "preact"

/** A name and its value; without a value, it is left out. */
export type Fact = readonly [name: string, value: ComponentChildren]

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact> }): JSX.Element => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
