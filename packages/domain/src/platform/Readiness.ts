/** The port that checks whether this process can serve. */
import { Context, type Effect } from "effect"

/** - `check`: a short description of each missing part; empty if the process is ready. It returns within seconds. */
export class Readiness extends Context.Service<
  Readiness,
  { readonly check: Effect.Effect<ReadonlyArray<string>> }
>()("@livery/domain/Readiness") {}
