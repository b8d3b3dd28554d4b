/** Whether the server runs, and whether it can serve. */
import type { JSX } from "preact"
import { Facts } from "../../components/Facts.tsx"
import { Badge } from "../../components/Notice.tsx"
import { api } from "../Api.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import type { PlatformWords } from "./words/en.ts"

export const Health = ({ words }: { readonly words: PlatformWords }): JSX.Element => {
  const reading = useReading("health", () => api.health.ready())
  return (
    <Loaded reading={reading} words={words}>
      {({ outgoing_paused }) => (
        <section class="card record" aria-labelledby="health">
          <div class="record-head">
            <h2 id="health">{words.health}</h2>
            <button type="button" class="button small-button" onClick={reading.reload}>
              {words.reload}
            </button>
          </div>
          <Facts
            facts={[
              [words.server, <Badge tone="good">{words.ready}</Badge>],
              [
                words.outgoing,
                outgoing_paused === true ? (
                  <Badge tone="warn">{words.paused}</Badge>
                ) : (
                  <Badge tone="good">{words.sending}</Badge>
                )
              ]
            ]}
          />
          <p class="muted">{words.healthHelp}</p>
        </section>
      )}
    </Loaded>
  )
}
