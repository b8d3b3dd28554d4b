/** A link with which anyone follows a trip. */
import { Schema } from "effect"

/** A new tracking link; its token is not returned again. `url` is where the token is served. */
export const TrackingLinkRecord = Schema.Struct({ token: Schema.String, url: Schema.String })
export type TrackingLinkRecord = typeof TrackingLinkRecord.Type
