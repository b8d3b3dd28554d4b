/** The number of events in a page of the feed. */
import { Schema } from "effect"
import { between } from "../kernel/fields/FieldIssue.ts"

/** The most events that a reader may request in one page. */
export const FeedLimit = Schema.Int.check(between(1, 100))
