/** Which notices a customer wants. */
import type { JSX } from "preact"
import { api } from "../Api.ts"
import { mayWrite } from "../Member.ts"
import { Loaded, useReading } from "../parts/Loaded.tsx"
import { RecordCard } from "../parts/Record.tsx"
import { changed } from "../Undo.ts"
import type { CustomersWords } from "./words/en.ts"

const kinds = [
  "booked",
  "changed",
  "cancelled",
  "reminder",
  "driver_assigned",
  "on_the_way",
  "arrived",
  "done"
] as const

const channels = ["mail", "text", "text,mail"]

export const Notices = ({
  id,
  words
}: {
  readonly id: number
  readonly words: CustomersWords
}): JSX.Element => {
  const reading = useReading(`notices of ${id}`, () => api.notices.readPreferences({ id }))
  const channelText = (value: string) =>
    value
      .split(",")
      .map((one) => words[`channel_${one}` as keyof CustomersWords])
      .join(" / ")
  return (
    <Loaded reading={reading} words={words}>
      {(preferences) => {
        const isOwn = preferences.kinds !== null
        const wanted = new Set<string>(preferences.kinds ?? [])
        const sent = preferences.channels?.join(",") ?? ""
        const fields = [
          {
            name: "own",
            label: words.whichNotices,
            value: isOwn ? "own" : "business",
            options: [
              ["business", words.asBusiness],
              ["own", words.asChosen]
            ] as const,
            shown: isOwn ? words.asChosen : words.asBusiness,
            isRequired: true
          },
          {
            name: "channels",
            label: words.byWhich,
            value: sent,
            options: channels.map((each) => [each, channelText(each)] as const),
            shown: sent === "" ? words.asBusiness : channelText(sent)
          },
          ...kinds.map((kind) => ({
            name: kind,
            label: words[`notice_${kind}`],
            kind: "flag" as const,
            value: String(wanted.has(kind)),
            // What the business has set is not told kind by kind.
            shown: isOwn && (wanted.has(kind) ? words.yes : words.no),
            isRequired: true
          }))
        ]
        return (
          <RecordCard
            title={words.notices}
            fields={fields}
            mayEdit={mayWrite("customers")}
            words={words}
            onReload={reading.reload}
            onSave={async (changes) => {
              const isNowOwn = (changes["own"] ?? (isOwn ? "own" : "business")) === "own"
              const isWanted = (kind: string) => changes[kind] ?? wanted.has(kind)
              const channelsNow = changes["channels"] === undefined ? sent : String(changes["channels"] ?? "")
              const body = {
                kinds: isNowOwn ? kinds.filter(isWanted) : null,
                channels: channelsNow === "" ? null : channelsNow.split(",")
              }
              reading.set(
                await api.notices.changePreferences(
                  { id, ...(body as typeof preferences) },
                  { ifMatch: preferences }
                )
              )
              changed(words.saved, words)
            }}
          />
        )
      }}
    </Loaded>
  )
}
