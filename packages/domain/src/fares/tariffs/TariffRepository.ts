/** The port that stores tariffs and their versions. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, CustomerId, TariffId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Tariff } from "../rules/Tariff.ts"
import type { ListedTariff, ListedTariffVersion, StoredTariff } from "./TariffRecord.ts"

/** A version of a tariff. */
export interface TariffVersion {
  readonly tariff_id: TariffId
  readonly version: number
}

/** The content of a version, and the instant from which it prices pickups. */
export interface NewTariffVersion {
  readonly content: Tariff
  readonly valid_from: DateTime.Utc | null
}

/** A version that holds, and the number of the latest version of its tariff. */
export interface HoldingVersion extends TariffVersion {
  readonly latest: number
}

/**
 * Only `content`, `version` and `versions` know deleted tariffs.
 *
 * - `insert`: stores a tariff as version 1.
 * - `list`: a page of the tariffs by id, without their prices.
 * - `find`: the business's tariff with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the tariff until the transaction ends.
 * - `holding`: the version that prices a pickup at an instant: the one with the latest `valid_from` that is not after it, of equal
 *   ones the latest version. Of the tariff with that id, or, for `null`, of the tariff with the smallest id that has one. `upTo`
 *   leaves out later versions.
 * - `ofCustomer`: the id of the customer's own tariff, also if the customer is deleted; null for none, `None` without such a
 *   customer.
 * - `versions`: a page of the versions of a tariff, the latest first, without their prices; empty if there is no such tariff.
 * - `version`: a tariff as it was in a version; `updated_at` is when that version was stored.
 * - `content`: the content of a version, also of a deleted tariff, so that an earlier fare can be computed again.
 * - `update`: stores the content of a locked tariff as its next version.
 * - `remove`: deletes a locked tariff. Its versions are kept.
 */
export class TariffRepository extends Context.Service<
  TariffRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      version: NewTariffVersion,
      now: DateTime.Utc
    ) => Effect.Effect<StoredTariff>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<ListedTariff>>
    readonly find: (businessId: BusinessId, tariffId: TariffId) => Effect.Effect<Option.Option<StoredTariff>>
    readonly lock: (businessId: BusinessId, tariffId: TariffId) => Effect.Effect<Option.Option<StoredTariff>>
    readonly holding: (
      businessId: BusinessId,
      tariffId: TariffId | null,
      at: DateTime.Utc,
      upTo?: number
    ) => Effect.Effect<Option.Option<HoldingVersion>>
    readonly ofCustomer: (
      businessId: BusinessId,
      customerId: CustomerId
    ) => Effect.Effect<Option.Option<TariffId | null>>
    readonly versions: (
      businessId: BusinessId,
      tariffId: TariffId,
      page: PageRequest
    ) => Effect.Effect<Page<ListedTariffVersion>>
    readonly version: (
      businessId: BusinessId,
      version: TariffVersion
    ) => Effect.Effect<Option.Option<StoredTariff>>
    readonly content: (businessId: BusinessId, version: TariffVersion) => Effect.Effect<Option.Option<Tariff>>
    readonly update: (
      businessId: BusinessId,
      tariffId: TariffId,
      version: NewTariffVersion,
      now: DateTime.Utc
    ) => Effect.Effect<StoredTariff>
    readonly remove: (businessId: BusinessId, tariffId: TariffId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/TariffRepository") {}
