/** The port that stores remittances. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, PaymentId, RemittanceId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Payment } from "./Payment.ts"
import type { NewRemittance, Remittance } from "./Remittance.ts"

/** An entry of the ledger with the remittance that made it. */
export interface RemittanceEntry {
  readonly remittance_id: RemittanceId
  readonly entry: Payment
}

/**
 * - `insert`: stores a remittance at `now`, and that it made these entries.
 * - `find`: the business's remittance with that id. `list`: a page of them, the newest first.
 * - `entriesOf`: the entries that these remittances made, the oldest first.
 */
export class RemittanceRepository extends Context.Service<
  RemittanceRepository,
  {
    readonly insert: (
      remittance: NewRemittance,
      paymentIds: ReadonlyArray<PaymentId>,
      now: DateTime.Utc
    ) => Effect.Effect<Remittance>
    readonly find: (
      businessId: BusinessId,
      remittanceId: RemittanceId
    ) => Effect.Effect<Option.Option<Remittance>>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<Remittance>>
    readonly entriesOf: (
      businessId: BusinessId,
      remittanceIds: ReadonlyArray<RemittanceId>
    ) => Effect.Effect<ReadonlyArray<RemittanceEntry>>
  }
>()("@livery/domain/RemittanceRepository") {}
