/** The use cases of tariffs (docs/api/fares.md). */
import { Context, DateTime, Effect, Equal, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { orNotFound } from "../../kernel/Errors.ts"
import type { BusinessId, TariffId } from "../../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { type Precondition, unconditional } from "../../kernel/Precondition.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { compileTariff } from "../compiled/CompiledTariff.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { withModifierChanges } from "../rules/Modifiers.ts"
import { pricesOfList } from "./PriceList.ts"
import type { PriceListTerms } from "./PriceListTerms.ts"
import {
  listedTariffRecord,
  listedTariffVersionRecord,
  type StoredTariff,
  type TariffChanges,
  type TariffInput,
  type TariffRecord,
  tariffRecord
} from "./TariffRecord.ts"
import { type NewTariffVersion, TariffRepository, type TariffVersion } from "./TariffRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** `NotFound` if the tariff is absent or another business's; `Conflict` if the precondition fails. */
export class Tariffs extends Context.Service<Tariffs>()("@livery/domain/Tariffs", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const tariffs = yield* TariffRepository

    const requireTariff = orNotFound("tariff")

    const instantOrNull = (text: string | null, { timezone }: ActingBusiness) =>
      text === null ? null : instantOf(text, timezone)

    /** Stores a changed tariff as its next version, unless nothing differs. */
    const store = Effect.fnUntraced(function* (
      businessId: BusinessId,
      current: StoredTariff,
      { content, valid_from }: NewTariffVersion
    ) {
      if (Equal.equals(content, current.content) && Equal.equals(valid_from, current.valid_from))
        return tariffRecord(current)
      yield* Effect.fromResult(compileTariff(content, current.version + 1))
      const now = yield* DateTime.now
      return tariffRecord(yield* tariffs.update(businessId, current.tariff_id, { content, valid_from }, now))
    })

    return {
      /**
       * Stores a tariff as version 1. `InvalidInput` names every field that contradicts another one, refers to a zone
       * that the tariff lacks, or has more decimals than the currency.
       */
      create: traced("Tariffs.create")(function* (
        acting: ActingBusiness,
        { valid_from, ...content }: TariffInput
      ) {
        yield* Effect.fromResult(compileTariff(content, 1))
        const now = yield* DateTime.now
        const version = { content, valid_from: instantOrNull(valid_from, acting) }
        return tariffRecord(yield* transaction.run(tariffs.insert(acting.business_id, version, now)))
      }),

      /** The business's tariffs without their prices, by id. */
      list: traced("Tariffs.list")(function* (acting: ActingBusiness, page: PageRequest) {
        return mapPage(yield* tariffs.list(acting.business_id, page), listedTariffRecord)
      }),

      /** The versions of a tariff, also of a deleted one, the latest first, without their prices. */
      versions: traced("Tariffs.versions")(function* (
        { business_id }: ActingBusiness,
        tariffId: TariffId,
        page: PageRequest
      ) {
        const found = yield* tariffs.versions(business_id, tariffId, page)
        yield* requireTariff(found.total === 0 ? Option.none() : Option.some(found))
        return mapPage(found, listedTariffVersionRecord)
      }),

      /** A tariff as it was in a version, also a deleted one. */
      version: traced("Tariffs.version")(function* ({ business_id }: ActingBusiness, version: TariffVersion) {
        return tariffRecord(yield* requireTariff(yield* tariffs.version(business_id, version)))
      }),

      /** One tariff with its prices, in its latest version. */
      get: traced("Tariffs.get")(function* (acting: ActingBusiness, tariffId: TariffId) {
        return tariffRecord(yield* requireTariff(yield* tariffs.find(acting.business_id, tariffId)))
      }),

      /**
       * Replaces the given fields, of the modifiers only those that are given, and stores the result as the next version. Fares
       * that were computed with an earlier version keep it. Without a difference, no version is stored.
       */
      update: traced("Tariffs.update")(function* (
        acting: ActingBusiness,
        tariffId: TariffId,
        { modifiers, valid_from, ...changes }: TariffChanges,
        precondition: Precondition<TariffRecord> = unconditional
      ) {
        return yield* atomically(transaction, function* () {
          const current = yield* requireTariff(yield* tariffs.lock(acting.business_id, tariffId))
          yield* precondition(tariffRecord(current))
          return yield* store(acting.business_id, current, {
            content: {
              ...current.content,
              ...changes,
              modifiers:
                modifiers === undefined
                  ? current.content.modifiers
                  : withModifierChanges(current.content.modifiers, modifiers)
            },
            valid_from: valid_from === undefined ? current.valid_from : instantOrNull(valid_from, acting)
          })
        })
      }),

      /**
       * Takes over the fixed prices of a price list as the next version. `InvalidInput` names each wrong line with its number,
       * and then nothing is stored.
       */
      importPrices: traced("Tariffs.importPrices")(function* (
        acting: ActingBusiness,
        tariffId: TariffId,
        csv: string,
        { valid_from, ...terms }: PriceListTerms
      ) {
        return yield* atomically(transaction, function* () {
          const current = yield* requireTariff(yield* tariffs.lock(acting.business_id, tariffId))
          const content = yield* pricesOfList(current.content, csv, terms)
          return yield* store(acting.business_id, current, {
            content,
            valid_from: valid_from === undefined ? current.valid_from : instantOrNull(valid_from, acting)
          })
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
