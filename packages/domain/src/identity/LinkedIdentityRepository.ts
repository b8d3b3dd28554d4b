import { Context, type DateTime, type Effect, type Option } from "effect"
import type { UserId } from "../kernel/Ids.ts"
import type { User } from "./User.ts"

/**
 * The port that stores whose a provider's identity is.
 *
 * - `userOf`: the user that the identity is linked to.
 * - `link`: links it to a user; false, and nothing written, if it is linked already or if the user has
 *   another identity of that issuer. Of two at once, one gets true.
 */
export class LinkedIdentityRepository extends Context.Service<
  LinkedIdentityRepository,
  {
    readonly userOf: (identity: {
      readonly issuer: string
      readonly subject: string
    }) => Effect.Effect<Option.Option<User>>
    readonly link: (identity: {
      readonly issuer: string
      readonly subject: string
      readonly userId: UserId
      readonly at: DateTime.Utc
    }) => Effect.Effect<boolean>
  }
>()("@livery/domain/LinkedIdentityRepository") {}
