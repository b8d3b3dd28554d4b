/** How pickups follow flights. */
import type { JSX } from "preact"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { RecordCard } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { SettingsWords } from "./words/en.ts"

export const Flights = ({ words }: { readonly words: SettingsWords }): JSX.Element => {
  const reading = useReading("flights", () => api.settings.readFlights())
  return (
    <Loaded reading={reading} words={words}>
      {(flights) => {
        const minutes = (name: keyof typeof flights, label: string) =>
          ({ name, label, kind: "number", isRequired: true, value: String(flights[name]) }) as const
        return (
          <RecordCard
            title={words.flights}
            mayEdit={mayWrite("settings")}
            words={words}
            onReload={reading.reload}
            onSave={async (changes) => {
              reading.set(await api.settings.updateFlights(changes, { ifMatch: flights }))
              changed(words.saved, words)
            }}
            fields={[
              {
                name: "enabled",
                label: words.flightsEnabled,
                kind: "flag",
                isRequired: true,
                value: String(flights.enabled),
                shown: flights.enabled ? words.yes : words.no,
                ...(flights.available ? {} : { hint: words.flightsAway })
              },
              minutes("max_earlier_minutes", words.maxEarlier),
              minutes("max_later_minutes", words.maxLater),
              minutes("buffer_minutes", words.buffer),
              minutes("check_minutes", words.checkEvery)
            ]}
          />
        )
      }}
    </Loaded>
  )
}
