import { type Account, EmailExists, User, UserId, UserRepository } from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { only } from "../store/Fields.ts"
import { ascending } from "../store/Pages.ts"
import type { UserRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const userOf = (row: UserRow | undefined): Option.Option<User> =>
  Option.map(Option.fromUndefinedOr(row), (user) => only(User, user))

const accountOf = (row: UserRow | undefined): Option.Option<Account> =>
  Option.map(Option.fromUndefinedOr(row), ({ passwordHash, ...row }) => ({
    user: only(User, row),
    passwordHash
  }))

export const layer = inMemory(UserRepository, ({ drivers, step, users }) => {
  const withEmail = (email: string) => users.find((user) => user.email === email)

  return {
    insert: ({ accountType, email, mobilePhone, name, passwordHash, verifiedAt }) =>
      Effect.flatMap(DateTime.now, (now) =>
        step(() => {
          if (withEmail(email)) return undefined
          const user_id = UserId.make(users.next())
          users.set(user_id, {
            user_id,
            email,
            name,
            mobile_phone: mobilePhone,
            account_type: accountType,
            email_verified: verifiedAt !== null,
            passwordHash,
            created_at: now,
            updated_at: now
          })
          return user_id
        })
      ).pipe(
        Effect.filterOrFail(
          (userId) => userId !== undefined,
          () => new EmailExists()
        )
      ),
    find: (userId) => step(() => userOf(users.get(userId))),
    findByEmail: (email) => step(() => accountOf(withEmail(email))),
    lock: (userId) => step(() => accountOf(users.get(userId))),
    lockByEmail: (email) => step(() => accountOf(withEmail(email))),
    change: (userId, change) => step(() => userOf(users.change(userId, change))),
    makeAdmin: (userId) =>
      step(() => {
        if (users.get(userId)?.account_type === "D") users.change(userId, { account_type: "A" })
      }),
    markVerified: (userId) => step(() => void users.change(userId, { email_verified: true })),
    replacePasswordHash: (userId, passwordHash) => step(() => void users.change(userId, { passwordHash })),
    driverOf: (userId) =>
      step(() => {
        const [first] = drivers
          .where((driver) => driver.user_id === userId && driver.deleted_at === undefined)
          .toSorted(ascending(({ driver_id }) => [driver_id]))
        return Option.fromUndefinedOr(first?.driver_id)
      }),
    any: step(() => users.where().length > 0)
  }
})
