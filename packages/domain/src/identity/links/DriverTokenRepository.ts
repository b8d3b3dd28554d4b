/** The port that finds assignments by the SHA-256 of their tokens. */
import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { AssignedDriver } from "../users/ActingDriver.ts"
import type { EndedAssignment } from "./EndedAssignment.ts"

/**
 * - `find`: the driver of the business's live assignment with that token; `None` if there is none, or if its trip or
 *   its driver is deleted.
 * - `findEnded`: the ended assignment of the business that had that token, if `find` does not return it.
 */
export class DriverTokenRepository extends Context.Service<
  DriverTokenRepository,
  {
    readonly find: (businessId: BusinessId, tokenHash: string) => Effect.Effect<Option.Option<AssignedDriver>>
    readonly findEnded: (
      businessId: BusinessId,
      tokenHash: string
    ) => Effect.Effect<Option.Option<EndedAssignment>>
  }
>()("@livery/domain/DriverTokenRepository") {}
