/** The public exports of this module. */
export type { CompiledCancellation, CompiledModifiers } from "./compiled/CompiledModifiers.ts"
export type {
  CompiledBase,
  CompiledClass,
  CompiledDays,
  CompiledDistance,
  CompiledFixed,
  CompiledHours,
  CompiledPackage,
  CompiledTier
} from "./compiled/CompiledRates.ts"
export * from "./compiled/CompiledTariff.ts"
export type { Fraction } from "./compiled/Fraction.ts"
export type { CompiledRule, RuleContext } from "./compiled/TariffReader.ts"
export * from "./compiled/ZoneIndex.ts"
export * from "./engine/Fare.ts"
export * from "./engine/FareEngine.ts"
export * from "./engine/FareInputs.ts"
export * from "./estimates/Estimate.ts"
export * from "./estimates/FareEstimates.ts"
export * from "./estimates/RequestedInputs.ts"
export * from "./estimates/FareRequest.ts"
export * from "./pay/DriverPay.ts"
export * from "./pay/DriverPayRepository.ts"
export * from "./pay/DriverStatement.ts"
export * from "./pay/DriverStatements.ts"
export * from "./pay/DriverTerms.ts"
export * from "./rules/FareStep.ts"
export * from "./rules/Tariff.ts"
export type { LocalDay, LocalTime } from "./rules/When.ts"
export * from "./tariffs/PriceListTerms.ts"
export * from "./tariffs/TariffRecord.ts"
export * from "./tariffs/TariffRepository.ts"
export * from "./tariffs/Tariffs.ts"
export * from "./tariffs/TariffWarnings.ts"
export * from "./trips/FinalInputs.ts"
export * from "./trips/TripFare.ts"
export * from "./trips/TripFareRepository.ts"
export * from "./trips/TripFares.ts"
