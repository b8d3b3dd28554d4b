import { maxViewsPerUser, SavedViewId, ScreenRepository, type UserId } from "@livery/domain"
import { Option } from "effect"
import { ascending } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(ScreenRepository, ({ preferences, step, views }) => {
  const ofUser = (userId: UserId) =>
    views
      .where(({ user_id }) => user_id === userId)
      .toSorted(ascending(({ name, screen, view_id }) => [screen, name, view_id]))
  const withoutUser = ({ user_id: _user, ...view }: ReturnType<typeof ofUser>[number]) => view
  const find = (userId: UserId, viewId: SavedViewId) =>
    Option.filter(Option.fromUndefinedOr(views.get(viewId)), ({ user_id }) => user_id === userId)
  const preferencesOf = (userId: UserId) => step(() => Option.fromUndefinedOr(preferences.get(userId)))
  return {
    views: (userId) => step(() => ofUser(userId).map(withoutUser)),
    insertView: (user_id, view, now) =>
      step(() => {
        if (ofUser(user_id).length >= maxViewsPerUser) return Option.none()
        const view_id = SavedViewId.make(views.next())
        const row = { ...view, view_id, user_id, created_at: now, updated_at: now }
        views.set(view_id, row)
        return Option.some(withoutUser(row))
      }),
    changeView: (userId, viewId, changes, now) =>
      step(() =>
        Option.map(find(userId, viewId), (row) => {
          const after = { ...row, ...changes, updated_at: now }
          views.set(viewId, after)
          return withoutUser(after)
        })
      ),
    removeView: (userId, viewId) => step(() => Option.isSome(find(userId, viewId)) && views.remove(viewId)),
    preferences: preferencesOf,
    lockPreferences: preferencesOf,
    setPreferences: (userId, after) => step(() => void preferences.set(userId, after))
  }
})
