/** The body of an event, as receivers get it. */
import { Schema } from "effect"
import { EventType } from "./EventType.ts"

/** The JSON body of a delivery (docs/api/webhooks.md). */
export const EventBody = Schema.Struct({
  /** `evt_` and 32 hex digits; constant across attempts, the value to de-duplicate on. */
  id: Schema.String,
  type: EventType,
  /** Unix seconds of the change. */
  created: Schema.Int,
  data: Schema.Record(Schema.String, Schema.Unknown),
  meta: Schema.Struct({
    business_id: Schema.Int,
    /** True in a test delivery, whose data is a sample. Absent otherwise. */
    test: Schema.optionalKey(Schema.Literal(true))
  })
})
export type EventBody = typeof EventBody.Type
