/** What waits on each node of a distributed database. */
import { Context, type Effect, type Option } from "effect"
import type { Backlog } from "./Delivery.ts"
import type { FeedLag } from "./EventPositions.ts"

/** The backlog of webhooks and of the event feed on one node; `None` if the node does not respond. */
export interface NodeBacklog {
  /** Its host and port. */
  readonly node: string
  readonly waiting: Option.Option<Backlog & FeedLag>
}

/** Reads the backlogs of all nodes, and fails only if the nodes are not known; `undefined` if the database is not distributed. */
export const NodeBacklogs = Context.Reference<Effect.Effect<ReadonlyArray<NodeBacklog>> | undefined>(
  "@livery/domain/NodeBacklogs",
  { defaultValue: () => undefined }
)
