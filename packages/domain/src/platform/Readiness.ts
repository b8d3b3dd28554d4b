/** The port that tells whether this process can serve. */
import { Context, type Effect } from "effect"

/** - `check`: what is missing, each in a few words; nothing when all is well. Never fails, and answers within seconds. */
export class Readiness extends Context.Service<
  Readiness,
  { readonly check: Effect.Effect<ReadonlyArray<string>> }
>()("@livery/domain/Readiness") {}
