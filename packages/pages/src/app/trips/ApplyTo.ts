/** Whether a change is for one trip of a group, for it and the later ones, or for all. */
import type { Trip } from "@livery/client"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { api } from "../Api.ts"
import { localOf } from "../Formats.ts"
import type { Changes, RecordField } from "../parts/Record.tsx"
import type { TripsWords } from "./words/en.ts"

export const scopes = ["this", "following", "all"] as const
export type Scope = (typeof scopes)[number]

/** The scope that was chosen. */
export const scopeOf = (text: unknown): Scope => scopes.find((scope) => scope === text) ?? "this"

/** The field that asks for the scope, in forms of a trip that is in a group. */
export const scopeField = (trip: Trip, words: TripsWords): ReadonlyArray<RecordField> =>
  trip.group_id === null
    ? []
    : [
        {
          name: "apply_to",
          label: words.applyTo,
          value: "this",
          isRequired: true,
          isFormOnly: true,
          options: scopes.map((scope) => [scope, words[`apply_${scope}`]] as const)
        }
      ]

const asUtc = (local: string) => Date.parse(`${local}Z`)

/** Changes the group of a trip, and says how many trips changed and how many have ended and stay. */
export const changeGroup = async (
  trip: Trip,
  scope: Exclude<Scope, "this">,
  { trip_date, ...changes }: Changes,
  more: { readonly driver_ids?: ReadonlyArray<number>; readonly force?: true },
  words: TripsWords
): Promise<void> => {
  const minutes =
    typeof trip_date === "string" ? (asUtc(trip_date) - asUtc(localOf(trip.trip_date))) / 60_000 : 0
  const { ended_trip_ids, trips } = await api.dispatch.changeGroup({
    group_id: trip.group_id ?? "",
    ...(scope === "following" ? { from_trip_id: trip.trip_id } : {}),
    ...(minutes === 0 ? {} : { move_minutes: minutes }),
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
    ...more
  })
  toast(
    fill(ended_trip_ids.length === 0 ? words.groupChanged : words.groupChangedWithEnded, {
      count: format.number(trips.length),
      ended: format.number(ended_trip_ids.length)
    })
  )
}
