/** The port that stores tariffs and their versions. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { BusinessId, TariffId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import type { Tariff } from "../rules/Tariff.ts"
import type { ListedTariff, StoredTariff } from "./TariffRecord.ts"

/** A version of a tariff. */
export interface TariffVersion {
  readonly tariff_id: TariffId
  readonly version: number
}

/**
 * Only `content` returns that of a deleted tariff.
 *
 * - `insert`: stores a tariff as version 1.
 * - `list`: a page of the tariffs by id, without their prices.
 * - `find`: the business's tariff with that id; `None` if it is absent or another business's.
 * - `lock`: the same, and locks the tariff until the transaction ends.
 * - `latest`: the latest version of the tariff with that id, or, for `null`, of the business's tariff with the smallest id.
 * - `content`: the content of a version, also of a deleted tariff, so that an earlier fare can be computed again.
 * - `update`: stores the content of a locked tariff as its next version.
 * - `remove`: deletes a locked tariff. Its versions are kept.
 */
export class TariffRepository extends Context.Service<
  TariffRepository,
  {
    readonly insert: (
      businessId: BusinessId,
      content: Tariff,
      now: DateTime.Utc
    ) => Effect.Effect<StoredTariff>
    readonly list: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<ListedTariff>>
    readonly find: (businessId: BusinessId, tariffId: TariffId) => Effect.Effect<Option.Option<StoredTariff>>
    readonly lock: (businessId: BusinessId, tariffId: TariffId) => Effect.Effect<Option.Option<StoredTariff>>
    readonly latest: (
      businessId: BusinessId,
      tariffId: TariffId | null
    ) => Effect.Effect<Option.Option<TariffVersion>>
    readonly content: (businessId: BusinessId, version: TariffVersion) => Effect.Effect<Option.Option<Tariff>>
    readonly update: (
      businessId: BusinessId,
      tariffId: TariffId,
      content: Tariff,
      now: DateTime.Utc
    ) => Effect.Effect<StoredTariff>
    readonly remove: (businessId: BusinessId, tariffId: TariffId, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@livery/domain/TariffRepository") {}
