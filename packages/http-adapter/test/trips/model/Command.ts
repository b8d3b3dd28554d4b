/** The next command, and its answer. */
import type { AssignmentStatus, ClashPolicy, Milestone, TripStatus } from "./Model.ts"

/** The author of a report: an operator, the signed-in driver, or the holder of the assignment's token. */
type Reporter = "operator" | "session" | "token"

/** The fields of a trip that the sequences change. */
export interface Changes {
  readonly slot?: number
  readonly minutes?: number | null
  readonly car?: number | null
  readonly customer?: string
  readonly notes?: string | null
  readonly amount?: number | null
}

/** A command. It names records by index; an index without a record is that of an absent record. */
export type Command =
  | { readonly act: "hire"; readonly active: boolean; readonly confirmSeat: boolean }
  | {
      readonly act: "change driver"
      readonly driver: number
      readonly active: boolean
      readonly confirmSeat: boolean
      readonly force: boolean
    }
  | { readonly act: "dismiss"; readonly driver: number; readonly force: boolean }
  | { readonly act: "buy"; readonly active: boolean }
  | { readonly act: "change car"; readonly car: number; readonly active: boolean }
  | { readonly act: "sell"; readonly car: number; readonly force: boolean }
  | {
      readonly act: "book"
      readonly slot: number
      readonly minutes: number | null
      readonly car: number | null
    }
  /** A booking page that does not confirm by itself requests a trip. */
  | { readonly act: "request"; readonly slot: number }
  | { readonly act: "duplicate"; readonly trip: number }
  | { readonly act: "change"; readonly trip: number; readonly changes: Changes; readonly force: boolean }
  | {
      readonly act: "set status"
      readonly trip: number
      readonly status: TripStatus
      readonly reason?: string
      readonly fee?: number
    }
  | { readonly act: "delete"; readonly trip: number; readonly force: boolean }
  | {
      readonly act: "assign"
      readonly trip: number
      readonly drivers: ReadonlyArray<number>
      readonly force: boolean
    }
  | {
      readonly act: "report"
      readonly trip: number
      readonly driver: number
      readonly by: Reporter
      readonly status?: Exclude<AssignmentStatus, "assigned">
      readonly milestone?: Milestone
    }
  | { readonly act: "set policy"; readonly policy: ClashPolicy }

/** An answer: `ok` with the clashes among its warnings, or the type of the refusal with the fields that it names. */
export interface Answer {
  readonly reported: string
  readonly named: ReadonlyArray<string>
}

/** An expected event: its type, its trip, and the field in which events of that type differ. */
export type Reported = string

/** The outcome of a command. */
export interface Outcome<Model> {
  readonly model: Model
  readonly answer: Answer
  /** Sorted by type. */
  readonly events: ReadonlyArray<Reported>
}

export const done = (named: ReadonlyArray<string> = []): Answer => ({
  reported: "ok",
  named: [...named].sort()
})

export const refused = (received: string, ...named: ReadonlyArray<string>): Answer => ({
  reported: received,
  named: [...named].sort()
})

export const notFound = refused("not_found")
export const illegal = refused("invalid_request", "status illegal_transition")
export const confirmation = refused("confirmation_required")
