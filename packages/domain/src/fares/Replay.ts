/** Computes a stored fare again, to explain it or to verify it. */
import { Result, Schema } from "effect"
import type { CompiledTariff } from "./CompiledTariff.ts"
import { type FareEstimateRecord, fareEstimateRecord } from "./Fare.ts"
import { estimateFares, fareEngineVersion } from "./FareEngine.ts"

/** The fare cannot be computed again: its version of the engine or the tariff, or its currency, is a different one. */
export class ReplayRefused extends Schema.TaggedError<ReplayRefused>()("ReplayRefused", {
  part: Schema.Literals(["engine_version", "tariff_version", "currency"]),
  stored: Schema.Union([Schema.Int, Schema.String]),
  present: Schema.Union([Schema.Int, Schema.String])
}) {
  override get message() {
    return `The fare has ${this.part} ${this.stored}, and it would be computed with ${this.present}`
  }
}

/** Computes a stored estimate again from its inputs. The tariff must have the version of the estimate. */
export const replayFares = (
  tariff: CompiledTariff,
  stored: FareEstimateRecord
): Result.Result<FareEstimateRecord, ReplayRefused> => {
  const versions = [
    ["engine_version", stored.engine_version, fareEngineVersion],
    ["tariff_version", stored.tariff_version, tariff.version],
    ["currency", stored.currency, tariff.currency]
  ] as const
  for (const [part, then, present] of versions)
    if (then !== present) return Result.fail(new ReplayRefused({ part, stored: then, present }))
  return Result.succeed(fareEstimateRecord(estimateFares(tariff, stored.inputs)))
}
