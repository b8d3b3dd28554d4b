/** The port that stores the links of calendars, and reads what their feeds show. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { CalendarEntry, CalendarLink, CalendarOwner, CalendarPeriod } from "./CalendarLink.ts"

/**
 * - `hasOwner`: whether the business has that member, driver or customer.
 * - `setLink`: stores the hash of the owner's new link and drops the old one; false if the business has no such owner.
 * - `removeLink`: removes the owner's link; whether there was one.
 * - `findLink`: the business's link whose token has this SHA-256; `None` also if its owner is no longer a member of the
 *   business or is deleted.
 * - `entries`: what the owner's feed shows, by their start. A driver's are the jobs, each with its last assignment; a
 *   customer's are the bookings, and the trips that no booking of the customer has as its own. Deleted records are left out.
 */
export class CalendarRepository extends Context.Service<
  CalendarRepository,
  {
    readonly hasOwner: (businessId: BusinessId, owner: CalendarOwner) => Effect.Effect<boolean>
    readonly setLink: (
      businessId: BusinessId,
      owner: CalendarOwner,
      tokenHash: string,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    readonly removeLink: (businessId: BusinessId, owner: CalendarOwner) => Effect.Effect<boolean>
    readonly findLink: (
      businessId: BusinessId,
      tokenHash: string
    ) => Effect.Effect<Option.Option<CalendarLink>>
    readonly entries: (
      businessId: BusinessId,
      owner: CalendarOwner,
      period: CalendarPeriod
    ) => Effect.Effect<ReadonlyArray<CalendarEntry>>
  }
>()("@livery/domain/CalendarRepository") {}
