/** The port that stores which user an identity of a provider belongs to. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import type { User } from "../users/User.ts"

/**
 * - `userOf`: the user that the identity is linked to.
 * - `link`: links the identity to a user. It returns false and writes nothing if the identity is linked already, or if the
 *   user has another identity of that issuer. Of concurrent calls, one returns true.
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
