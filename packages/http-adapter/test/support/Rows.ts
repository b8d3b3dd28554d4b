/** What tests change and read past the ports, on PostgreSQL and in memory. */
import { type AccountType, BusinessId, PlanId, UserId } from "@livery/domain"
import { Store } from "@livery/memory"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** An event with the `data` of its body. */
interface Event {
  readonly type: string
  readonly data: object
}

const eventOf = ({ body, type }: { readonly type: string; readonly body: string }): Event => ({
  type,
  data: (JSON.parse(body) as { data: object }).data
})

/**
 * - `setPlan`, `setAccountType`: set a field of a business or of a user.
 * - `eventsOf`: the events of a business that are not delivered yet, in their order.
 */
export class Rows extends Context.Service<
  Rows,
  {
    readonly setPlan: (businessId: number, planId: number) => Effect.Effect<void>
    readonly setAccountType: (userId: number, type: AccountType) => Effect.Effect<void>
    readonly eventsOf: (businessId: number) => Effect.Effect<ReadonlyArray<Event>>
  }
>()("@livery/http-adapter/test/Rows") {
  static readonly layerPg = Layer.effect(
    Rows,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Rows.of({
        setPlan: (businessId, planId) =>
          Effect.orDie(
            sql`UPDATE businesses SET subscription_plan_id = ${planId} WHERE business_id = ${businessId}`
          ),
        setAccountType: (userId, type) =>
          Effect.orDie(sql`UPDATE users SET account_type = ${type} WHERE user_id = ${userId}`),
        eventsOf: (businessId) =>
          sql<{ readonly type: string; readonly body: string }>`
            SELECT event_type AS type, body FROM events WHERE business_id = ${businessId} ORDER BY sequence`.pipe(
            Effect.map((rows) => rows.map(eventOf)),
            Effect.orDie
          )
      })
    )
  )

  static readonly layerMemory = Layer.effect(
    Rows,
    Effect.map(Store, ({ businesses, events, step, users }) =>
      Rows.of({
        setPlan: (businessId, planId) =>
          step(
            () =>
              void businesses.change(BusinessId.make(businessId), {
                subscription_plan_id: PlanId.make(planId)
              })
          ),
        setAccountType: (userId, account_type) =>
          step(() => void users.change(UserId.make(userId), { account_type })),
        eventsOf: (businessId) =>
          step(() => events.where((event) => event.businessId === businessId).map(eventOf))
      })
    )
  )
}
