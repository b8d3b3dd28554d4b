/** The port that stores accepted erasures until they are complete. */
import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { type Contact, Person } from "./Person.ts"

/** How much of a step is done: the number of records, and where its next window begins; null after the last one. */
export const StepProgress = Schema.Struct({ count: Schema.Int, after: Schema.NullOr(Schema.String) })
export type StepProgress = typeof StepProgress.Type

/** The steps that have begun, by name. */
export const ErasureProgress = Schema.Record(Schema.String, StepProgress)
export type ErasureProgress = typeof ErasureProgress.Type

/**
 * An accepted erasure: everything by which it is completed without the request. `key` is unique, and the same for a
 * repetition. `subject`, `actor` and `reason` are for the audit log.
 */
export const AcceptedErasure = Schema.Struct({
  key: Schema.String,
  person: Person,
  subject: Schema.String,
  actor: Schema.String,
  reason: Schema.NullOr(Schema.String)
})
export type AcceptedErasure = typeof AcceptedErasure.Type

/** An erasure that a process works on. `lease` identifies that work, and `attempt` counts claims since the last window. */
export const HeldErasure = Schema.Struct({
  ...AcceptedErasure.fields,
  progress: ErasureProgress,
  lease: Schema.String,
  attempt: Schema.Int
})
export type HeldErasure = typeof HeldErasure.Type

/** The subject of the audit log for an erasure by email or phone number. */
export const contactSubject = "contact"

/** The key of an erasure of a record (`customer:12`) of a business, or of an account. */
export const erasureKeyOf = (businessId: BusinessId | null, subject: string) =>
  `${businessId ?? "platform"}/${subject}`

/** The key of an erasure by email or phone number. */
export const contactKeyOf = (businessId: BusinessId, { email, phone }: Contact) =>
  erasureKeyOf(businessId, JSON.stringify([email, phone]))

/** A new lease and its end. A process that works on an erasure stores a window before that time. */
export interface ErasureLease {
  readonly lease: string
  readonly until: DateTime.Utc
}

/**
 * - `find`: the person of an unfinished erasure; `None` if there is none with that key.
 * - `begin`: stores an erasure under a new lease, instead of an unfinished one with its key. It waits for a window of that one to
 *   end, and keeps its progress if the person is the same.
 * - `claim`: gives the unfinished erasure whose lease ended first a new lease; `None` if no lease has ended. Two callers never
 *   get the same one, and none gets one of which a window is open.
 * - `lock`: locks an erasure until the open transaction ends. False if another process has a lease of it, or has completed it.
 * - `save`: stores the progress and extends the lease to `until`. Call `lock` first.
 * - `postpone`: ends the lease, and lets no process claim the erasure before a time.
 * - `remove`: deletes an erasure that is complete. Call `lock` first.
 */
export class ErasureRepository extends Context.Service<
  ErasureRepository,
  {
    readonly find: (key: string) => Effect.Effect<Option.Option<Person>>
    readonly begin: (
      erasure: AcceptedErasure,
      lease: ErasureLease,
      now: DateTime.Utc
    ) => Effect.Effect<HeldErasure>
    readonly claim: (lease: ErasureLease, now: DateTime.Utc) => Effect.Effect<Option.Option<HeldErasure>>
    readonly lock: (held: HeldErasure) => Effect.Effect<boolean>
    readonly save: (held: HeldErasure, progress: ErasureProgress, until: DateTime.Utc) => Effect.Effect<void>
    readonly postpone: (held: HeldErasure, until: DateTime.Utc) => Effect.Effect<void>
    readonly remove: (held: HeldErasure) => Effect.Effect<void>
  }
>()("@livery/domain/ErasureRepository") {}
