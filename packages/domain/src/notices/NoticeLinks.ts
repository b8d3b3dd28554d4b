/** The settings that build the links in notices. */
import { Context } from "effect"
import type { TripId } from "../kernel/Ids.ts"

/** The pages of the installation that notices link to. */
export interface NoticePages {
  /** Following a trip, by its tracking token. */
  readonly track: (token: string) => string
  /** The jobs of a driver who signs in. */
  readonly drive: string
  /** One of these jobs, where the driver accepts or declines it. */
  readonly job: (tripId: TripId) => string
  /** A trip, for the office. */
  readonly trip: (tripId: TripId) => string
}

/** The pages that notices link to; undefined if the installation has none. */
export const NoticeLinks = Context.Reference<NoticePages | undefined>("@livery/domain/NoticeLinks", {
  defaultValue: () => undefined
})
