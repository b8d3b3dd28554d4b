import { LinkedIdentityRepository, User } from "@livery/domain"
import { Option } from "effect"
import { only } from "../store/Fields.ts"
import { pair, inMemory } from "../store/Store.ts"

export const layer = inMemory(LinkedIdentityRepository, ({ identities, step, users }) => ({
  userOf: ({ issuer, subject }) =>
    step(() =>
      Option.fromUndefinedOr(identities.get(pair(issuer, subject))).pipe(
        Option.flatMapNullishOr(({ userId }) => users.get(userId)),
        Option.map((user) => only(User, user))
      )
    ),
  link: ({ issuer, subject, userId }) =>
    step(() => {
      const key = pair(issuer, subject)
      const another = identities.find((one) => one.issuer === issuer && one.userId === userId)
      if (identities.get(key) !== undefined || another !== undefined) return false
      identities.set(key, { issuer, subject, userId })
      return true
    })
}))
