/** The use cases of tariffs (docs/api/fares.md). */
import { Context, DateTime, Effect, Equal, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { TariffId } from "../../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { compileTariff } from "../compiled/CompiledTariff.ts"
import type { Tariff } from "../rules/Tariff.ts"
import { listedTariffRecord, type TariffChanges, type TariffRecord, tariffRecord } from "./TariffRecord.ts"
import { TariffRepository } from "./TariffRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** `NotFound` if the tariff is absent or another business's; `Conflict` if the precondition fails. */
export class Tariffs extends Context.Service<Tariffs>()("@livery/domain/Tariffs", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const tariffs = yield* TariffRepository

    const requireTariff = orNotFound("tariff")

    return {
      /**
       * Stores a tariff as version 1. `InvalidInput` names every field that contradicts another one, refers to a zone
       * that the tariff lacks, or has more decimals than the currency.
       */
      create: traced("Tariffs.create")(function* (acting: ActingBusiness, tariff: Tariff) {
        yield* Effect.fromResult(compileTariff(tariff, 1))
        const now = yield* DateTime.now
        return tariffRecord(yield* transaction.run(tariffs.insert(acting.business_id, tariff, now)))
      }),

      /** The business's tariffs without their prices, by id. */
      list: traced("Tariffs.list")(function* (acting: ActingBusiness, page: PageRequest) {
        return mapPage(yield* tariffs.list(acting.business_id, page), listedTariffRecord)
      }),

      /** One tariff with its prices. */
      get: traced("Tariffs.get")(function* (acting: ActingBusiness, tariffId: TariffId) {
        return tariffRecord(yield* requireTariff(yield* tariffs.find(acting.business_id, tariffId)))
      }),

      /**
       * Replaces the given fields and stores the result as the next version. Fares that were computed with an earlier
       * version keep it. Without a difference, no version is stored.
       */
      update: traced("Tariffs.update")(function* (
        { business_id }: ActingBusiness,
        tariffId: TariffId,
        changes: TariffChanges,
        precondition: Precondition<TariffRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const current = yield* requireTariff(yield* tariffs.lock(business_id, tariffId))
          yield* precondition(tariffRecord(current))
          const content = { ...current.content, ...changes }
          if (Equal.equals(content, current.content)) return tariffRecord(current)
          yield* Effect.fromResult(compileTariff(content, current.version + 1))
          return tariffRecord(yield* tariffs.update(business_id, tariffId, content, now))
        })
      }),

      /**
       * Deletes a tariff, and returns it as it was. Its versions are kept for the fares that were computed with them.
       */
      remove: traced("Tariffs.remove")(function* (
        { business_id }: ActingBusiness,
        tariffId: TariffId,
        precondition: Precondition<TariffRecord> = unconditional
      ) {
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const last = tariffRecord(yield* requireTariff(yield* tariffs.lock(business_id, tariffId)))
          yield* precondition(last)
          yield* tariffs.remove(business_id, tariffId, now)
          return last
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Tariffs, Tariffs.make)
}
