/** The port to the customers, as far as trips need them. */
import { Context, type Effect, type Option } from "effect"
import type { BusinessId, CustomerId } from "../kernel/Ids.ts"

/**
 * A deleted customer is absent to both.
 *
 * - `lock`: whether the business has that customer; if so, it cannot be deleted before the open transaction ends.
 * - `lockByEmail`: the business's customer with that email, which is in lower case; `None` if there is none. Until the
 *   open transaction ends, the customer cannot be deleted, and no customer of the business gets another email.
 */
export class CustomerLookup extends Context.Service<
  CustomerLookup,
  {
    readonly lock: (businessId: BusinessId, customerId: CustomerId) => Effect.Effect<boolean>
    readonly lockByEmail: (businessId: BusinessId, email: string) => Effect.Effect<Option.Option<CustomerId>>
  }
>()("@livery/domain/CustomerLookup") {}
