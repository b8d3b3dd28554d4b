/** The names of the authors of timelines in memory. */
import type { BusinessId } from "@livery/domain"
import type { Store } from "./Store.ts"

/** Makes the function that reads the present name of the author of an entry; null for an author without one. */
export const actorNames =
  ({ apiKeys, drivers, users }: Pick<Store["Service"], "apiKeys" | "drivers" | "users">) =>
  ({ actor, business_id }: { readonly actor: string; readonly business_id: BusinessId }): string | null => {
    const [kind, id = ""] = actor.split(":")
    switch (kind) {
      case "user":
        return users.find(({ user_id }) => String(user_id) === id)?.name ?? null
      case "driver":
        return (
          drivers.find((driver) => driver.business_id === business_id && String(driver.driver_id) === id)
            ?.name ?? null
        )
      case "api_key": {
        const key = apiKeys.find((one) => one.business_id === business_id && one.masked_key === id)
        return (key && users.get(key.createdBy)?.name) ?? null
      }
      default:
        return null
    }
  }
