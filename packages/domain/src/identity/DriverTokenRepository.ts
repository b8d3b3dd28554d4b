/** The port that finds assignments by their tokens. */
import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { AssignedDriver } from "./ActingDriver.ts"

/**
 * - `find`: the driver of the live assignment whose token has that SHA-256; `None` if there is none, or if its trip or its
 *   driver is deleted.
 */
export class DriverTokenRepository extends Context.Service<
  DriverTokenRepository,
  { readonly find: (tokenHash: string) => Effect.Effect<Option.Option<AssignedDriver>> }
>()("@livery/domain/DriverTokenRepository") {}
