import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AssignedDriver } from "./SignedInDriver.ts"

/**
 * The port to the tokens of assignments.
 *
 * - `find`: the assignment that a token of that SHA-256 is for, while it is live and its trip and driver are there.
 */
export class DriverTokenRepository extends Context.Service<
  DriverTokenRepository,
  { readonly find: (tokenHash: string) => Effect.Effect<Option.Option<AssignedDriver>> }
>()("@livery/domain/DriverTokenRepository") {}
