import { type Backlog, type FeedLag, maxCountedBacklog, maxCountedLag, NodeBacklogs } from "@livery/domain"
import { Effect, Layer, Option } from "effect"
import { WorkPlaces } from "../sql/places/WorkPlaces.ts"
import { readBacklog } from "./DeliveryQueuePg.ts"
import { readLag } from "./EventPositionsPg.ts"

/** The backlog of a node from those of its places. */
const totalOf = (places: ReadonlyArray<Backlog & FeedLag>): Backlog & FeedLag => ({
  due: Math.min(
    maxCountedBacklog,
    places.reduce((total, { due }) => total + due, 0)
  ),
  oldestDueSeconds: Math.max(0, ...places.map(({ oldestDueSeconds }) => oldestDueSeconds)),
  events: Math.min(
    maxCountedLag,
    places.reduce((total, { events }) => total + events, 0)
  ),
  oldestSeconds: Math.max(0, ...places.map(({ oldestSeconds }) => oldestSeconds))
})

/** Each node counts the rows of its own businesses, so one that is down leaves only its own count unknown. */
export const layer = Layer.effect(
  NodeBacklogs,
  Effect.map(WorkPlaces, ({ onNodes }) => {
    if (onNodes === undefined) return
    const read = onNodes((sql) =>
      Effect.map(Effect.all([readBacklog(sql), readLag(sql)]), ([due, lag]) => ({ ...due, ...lag }))
    )
    return Effect.map(read, (nodes) =>
      nodes.map(({ found, node }) => ({ node, waiting: Option.map(found, totalOf) }))
    )
  })
)
