/** The body that sends a sample of an event. */
import { Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { EmittedEventType } from "../events/EventType.ts"

/** The type of event to send a sample of. */
export const SampleInput = Schema.Struct({ event_type: oneOf(EmittedEventType) })
export type SampleInput = typeof SampleInput.Type
