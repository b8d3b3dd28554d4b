/** The port that checks whether this process can serve. */
import { Context, type Effect } from "effect"

/**
 * - `check`: returns a short description of each unavailable dependency; empty if the process is ready. It returns
 *   within seconds.
 */
export class Readiness extends Context.Service<
  Readiness,
  { readonly check: Effect.Effect<ReadonlyArray<string>> }
>()("@livery/domain/Readiness") {}
