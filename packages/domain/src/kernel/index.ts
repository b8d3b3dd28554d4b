/** The public exports of this module. */
export * from "./CurrentActor.ts"
export * from "./CurrentReason.ts"
export * from "./CurrentRequestId.ts"
export * from "./concurrency/BatchWriter.ts"
export * from "./concurrency/BoundedQueue.ts"
export * from "./concurrency/SharedWork.ts"
export * from "./concurrency/WorkNotifier.ts"
export * from "./Errors.ts"
export { type Fault, faultOf, logFailure, OutcomeUnknown, Unavailable } from "./Faults.ts"
export * from "./MetricsExport.ts"
export * from "./Progress.ts"
export * from "./fields/RecordMaker.ts"
export * from "./fields/Confirmation.ts"
export * from "./fields/Coordinates.ts"
export * as Field from "./fields/Field.ts"
export type { SchemasOf } from "./fields/Field.ts"
export * from "./fields/Personal.ts"
export * from "./fields/PhoneNumber.ts"
export * as Value from "./fields/Value.ts"
export * from "./fields/FieldIssue.ts"
export * from "./fields/EmailAddress.ts"
export * from "./fields/Text.ts"
export * from "./idempotency/Idempotency.ts"
export * from "./idempotency/IdempotencyStore.ts"
export * from "./idempotency/ResponseRetention.ts"
export * from "./idempotency/CurrentRequestParts.ts"
export * from "./Ids.ts"
export * from "./money/Currency.ts"
export * as Money from "./money/Money.ts"
export * from "./Page.ts"
export * from "./Precondition.ts"
export * from "./security/Crockford.ts"
export { isFoundBy, searchedWords } from "./search/SearchWords.ts"
export * from "./security/ConstantTime.ts"
export * from "./security/Cryptography.ts"
export * from "./security/HmacSha256.ts"
export * from "./security/SecretBox.ts"
export * as StateMachine from "./StateMachine.ts"
export { IllegalTransition } from "./StateMachine.ts"
export * from "./time/RetryDelay.ts"
export { clockToleranceSeconds } from "./time/ClockTolerance.ts"
export * from "./time/MonotonicTime.ts"
export { utcOfMillis } from "./time/UtcOfMillis.ts"
export * as WallClock from "./time/WallClock.ts"
export {
  endSpan,
  nanosOf,
  spanOfTraceParent,
  tracedContext,
  SpanFailed,
  type StartSpan,
  traceParentOf,
  tracedRound,
  Tracing
} from "./Tracing.ts"
export { traced } from "./TracedFunction.ts"
export * from "./Transaction.ts"
export * from "./VehicleClass.ts"
