import { CurrentActor, TimelineEntry, TimelineRepository } from "@livery/domain"
import { Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { actorNames } from "../store/ActorNames.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { TimelineRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"
import { storedTrips } from "./StoredTrips.ts"

export const layer = inMemory(TimelineRepository, (store) => {
  const { step, timeline } = store
  const { find } = storedTrips(store)

  const nameOf = actorNames(store)

  return {
    append: (business_id, changes, at) =>
      Effect.flatMap(CurrentActor, (actor) =>
        step(() => {
          for (const { entries, tripId } of changes)
            for (const entry of entries) {
              const change_id = timeline.next()
              timeline.set(change_id, { ...entry, change_id, business_id, trip_id: tripId, at, actor })
            }
        })
      ),
    erase: (businessId, tripIds, fields) =>
      step(() => {
        const without = (values: TimelineRow["before"]) =>
          values && Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name)))
        const isErased = ({ business_id, trip_id }: TimelineRow) =>
          business_id === businessId && tripIds.includes(trip_id)
        for (const { after, before, change_id } of timeline.where(isErased))
          timeline.change(change_id, { before: without(before), after: without(after) })
      }),
    list: (businessId, tripId, page) =>
      step(() => {
        if (find(businessId, tripId) === undefined) return Option.none()
        const entries = timeline
          .where(({ trip_id }) => trip_id === tripId)
          .toSorted(ascending(({ change_id }) => [change_id]))
          .map((row): TimelineEntry => ({ ...only(TimelineEntry, row), actor_name: nameOf(row) }))
        return Option.some(pageOf(entries, page))
      })
  }
})
