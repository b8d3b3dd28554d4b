/** The use cases of tariffs (docs/api/fares.md). */
import { Context, DateTime, Effect, Equal, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { type Conflict, type InvalidInput, type NotFound, orNotFound } from "../../kernel/Errors.ts"
import type { TariffId } from "../../kernel/Ids.ts"
import { mapPage, type Page, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { compileTariff } from "../compiled/CompiledTariff.ts"
import type { Tariff } from "../rules/Tariff.ts"
import {
  type ListedTariffRecord,
  listedTariffRecord,
  type TariffChanges,
  type TariffRecord,
  tariffRecord
} from "./TariffRecord.ts"
import { TariffRepository } from "./TariffRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * - `create`: stores a tariff as version 1. `InvalidInput` names every field that contradicts another one, refers to a
 *   zone that the tariff lacks, or has more decimals than the currency.
 * - `list`, `get`: the business's tariffs without their prices, by id, and one tariff with them.
 * - `update`: replaces the given fields and stores the result as the next version. Fares that were computed with an
 *   earlier version keep it. Without a difference, no version is stored.
 * - `remove`: deletes a tariff, and returns it as it was. Its versions are kept for the fares that were computed with
 *   them.
 *
 * `NotFound` if the tariff is absent or another business's; `Conflict` if the precondition fails.
 */
export class Tariffs extends Context.Service<
  Tariffs,
  {
    readonly create: (acting: ActingBusiness, tariff: Tariff) => Effect.Effect<TariffRecord, InvalidInput>
    readonly list: (acting: ActingBusiness, page: PageRequest) => Effect.Effect<Page<ListedTariffRecord>>
    readonly get: (acting: ActingBusiness, tariffId: TariffId) => Effect.Effect<TariffRecord, NotFound>
    readonly update: (
      acting: ActingBusiness,
      tariffId: TariffId,
      changes: TariffChanges,
      precondition?: Precondition<TariffRecord>
    ) => Effect.Effect<TariffRecord, NotFound | Conflict | InvalidInput>
    readonly remove: (
      acting: ActingBusiness,
      tariffId: TariffId,
      precondition?: Precondition<TariffRecord>
    ) => Effect.Effect<TariffRecord, NotFound | Conflict>
  }
>()("@livery/domain/Tariffs") {
  static readonly layer = Layer.effect(
    Tariffs,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const tariffs = yield* TariffRepository

      const requireTariff = orNotFound("tariff")

      const create = traced("Tariffs.create")(function* (acting: ActingBusiness, tariff: Tariff) {
        yield* Effect.fromResult(compileTariff(tariff, 1))
        const now = yield* DateTime.now
        return tariffRecord(yield* transaction.run(tariffs.insert(acting.business_id, tariff, now)))
      })

      const list = traced("Tariffs.list")(function* (acting: ActingBusiness, page: PageRequest) {
        return mapPage(yield* tariffs.list(acting.business_id, page), listedTariffRecord)
      })

      const get = traced("Tariffs.get")(function* (acting: ActingBusiness, tariffId: TariffId) {
        return tariffRecord(yield* requireTariff(yield* tariffs.find(acting.business_id, tariffId)))
      })

      const update = traced("Tariffs.update")(function* (
        { business_id }: ActingBusiness,
        tariffId: TariffId,
        changes: TariffChanges,
        precondition: Precondition<TariffRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const current = yield* requireTariff(yield* tariffs.lock(business_id, tariffId))
            yield* precondition(tariffRecord(current))
            const content = { ...current.content, ...changes }
            if (Equal.equals(content, current.content)) return tariffRecord(current)
            yield* Effect.fromResult(compileTariff(content, current.version + 1))
            return tariffRecord(yield* tariffs.update(business_id, tariffId, content, now))
          })
        )
      })

      const remove = traced("Tariffs.remove")(function* (
        { business_id }: ActingBusiness,
        tariffId: TariffId,
        precondition: Precondition<TariffRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* transaction.run(
          Effect.gen(function* () {
            const last = tariffRecord(yield* requireTariff(yield* tariffs.lock(business_id, tariffId)))
            yield* precondition(last)
            yield* tariffs.remove(business_id, tariffId, now)
            return last
          })
        )
      })

      return Tariffs.of({ create, list, get, update, remove })
    })
  )
}
