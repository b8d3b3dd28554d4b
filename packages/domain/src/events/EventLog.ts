/** The port that records events with the change that they report. */
import { Context, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"

/**
 * - `record`: stores an event and one pending delivery for each enabled endpoint of its business that subscribes to
 *   its type. Call it inside the transaction of the change; the dispatcher is woken once that commits. An endpoint
 *   that is created later does not receive the event.
 * - `recordAll`: the same for events of one business, with the same number of statements for any number of them.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    readonly record: (event: DomainEvent) => Effect.Effect<void>
    readonly recordAll: (events: ReadonlyArray<DomainEvent>) => Effect.Effect<void>
  }
>()("@livery/domain/EventLog") {}
