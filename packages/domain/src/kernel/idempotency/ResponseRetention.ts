/** How long responses to idempotent requests are kept. */
import { Context, Duration } from "effect"

/** How long a response is kept at least. */
export const leastResponseRetention = Duration.hours(24)

/** How long a response is kept: a setting of the platform. */
export const ResponseRetention = Context.Reference<() => Duration.Duration>(
  "@livery/domain/ResponseRetention",
  { defaultValue: () => () => leastResponseRetention }
)
