import { Effect } from "effect"
import { Accounts, ApiKeys, BusinessCreation, Devices, Passwords, Screens } from "@livery/domain"
import { CurrentBusiness, CurrentUser } from "@livery/contract"
import { handlersOf } from "../http/pipeline/Handlers.ts"
import { preconditionOf, withEtag } from "../http/responses/Etag.ts"

const userId = Effect.map(CurrentUser, ({ user }) => user.user_id)

export const MeHandlers = handlersOf("me", function* (handlers) {
  const accounts = yield* Accounts
  const passwords = yield* Passwords
  const apiKeys = yield* ApiKeys
  const devices = yield* Devices
  const screens = yield* Screens
  const creation = yield* BusinessCreation
  return handlers({
    read: () => Effect.map(Effect.flatMap(userId, accounts.read), withEtag),
    change: Effect.fnUntraced(function* ({ headers, payload }) {
      const { sessionId, user } = yield* CurrentUser
      const by = { userId: user.user_id, sessionId }
      return withEtag(yield* accounts.change(by, payload, preconditionOf(headers)))
    }),
    changePassword: ({ payload }) => Effect.flatMap(CurrentUser, (by) => passwords.change(by, payload)),
    listBusinesses: () => Effect.flatMap(userId, accounts.businesses),
    createBusiness: ({ payload }) => Effect.flatMap(CurrentUser, (user) => creation.create(user, payload)),
    createApiKey: Effect.fnUntraced(function* () {
      const { user } = yield* CurrentUser
      const { business_id } = yield* CurrentBusiness
      return yield* apiKeys.create(business_id, user.user_id)
    }),
    listApiKeys: () => Effect.flatMap(CurrentBusiness, ({ business_id }) => apiKeys.list(business_id)),
    deleteApiKey: Effect.fnUntraced(function* ({ payload }) {
      const { business_id } = yield* CurrentBusiness
      return yield* apiKeys.delete(business_id, payload.api_key, yield* userId)
    }),
    listViews: () => Effect.flatMap(userId, screens.views),
    saveView: ({ payload }) => Effect.flatMap(userId, (id) => screens.save(id, payload)),
    changeView: ({ params, payload }) =>
      Effect.flatMap(userId, (id) => screens.change(id, params.id, payload)),
    deleteView: ({ params }) => Effect.flatMap(userId, (id) => screens.remove(id, params.id)),
    readPreferences: () => Effect.map(Effect.flatMap(userId, screens.preferences), withEtag),
    changePreferences: Effect.fnUntraced(function* ({ headers, payload }) {
      return withEtag(yield* screens.prefer(yield* userId, payload, preconditionOf(headers)))
    }),
    registerDevice: ({ payload }) => Effect.flatMap(userId, (id) => devices.register(id, payload)),
    listDevices: () => Effect.flatMap(userId, devices.list),
    unregisterDevice: ({ payload }) =>
      Effect.flatMap(userId, (id) => devices.unregister(id, payload.device_token))
  })
})
