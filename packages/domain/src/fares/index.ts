/** The public exports of this module. */
export type { CompiledCancellation, CompiledModifiers } from "./CompiledModifiers.ts"
export type {
  CompiledBase,
  CompiledClass,
  CompiledDays,
  CompiledDistance,
  CompiledFixed,
  CompiledHours,
  CompiledPackage,
  CompiledTier
} from "./CompiledRates.ts"
export * from "./CompiledTariff.ts"
export * from "./DriverPay.ts"
export * from "./DriverPayRepository.ts"
export * from "./DriverStatement.ts"
export * from "./DriverStatements.ts"
export * from "./DriverTerms.ts"
export * from "./Fare.ts"
export * from "./FareEngine.ts"
export * from "./FareEstimates.ts"
export * from "./FareInputs.ts"
export * from "./FareRequest.ts"
export * from "./FareStep.ts"
export * from "./FinalInputs.ts"
export type { Fraction } from "./Fraction.ts"
export * from "./Tariff.ts"
export type { CompiledRule, RuleContext } from "./TariffReader.ts"
export * from "./TariffRecord.ts"
export * from "./TariffRepository.ts"
export * from "./Tariffs.ts"
export * from "./TariffWarnings.ts"
export * from "./TripFare.ts"
export * from "./TripFareRepository.ts"
export * from "./TripFares.ts"
export type { LocalDay, LocalTime } from "./When.ts"
export * from "./ZoneIndex.ts"
