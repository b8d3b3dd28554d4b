/** The port that finds and erases the data of a person. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type {
  AssignmentId,
  BusinessId,
  CustomerId,
  DriverId,
  InvoiceId,
  SavedViewId,
  TripId,
  UserId
} from "../kernel/Ids.ts"
import type { SavedView } from "../identity/screens/SavedView.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import type { Contact, Person } from "./Person.ts"
import type { Reference } from "./Redaction.ts"

/** Where copies of records are stored: timelines, events, the audit log, stored responses, the mail outbox. */
export const documentKinds = ["changes", "events", "audit", "responses", "messages"] as const
/** One of {@link documentKinds}. */
export type DocumentKind = (typeof documentKinds)[number]

/** A copy. `key` is its place in the order of its kind. */
export interface PersonalDocument {
  readonly key: string
  readonly content: unknown
}

/** A page of copies that may be personal, and the key after which the next page begins; null after the last page. */
export interface DocumentPage {
  readonly documents: ReadonlyArray<PersonalDocument>
  readonly next: string | null
}

/** The open records of a person. */
export interface OpenWork {
  readonly trip_ids: ReadonlyArray<TripId>
  readonly quote_ids: ReadonlyArray<number>
  readonly booking_ids: ReadonlyArray<number>
  readonly invoice_ids: ReadonlyArray<InvoiceId>
}

/** A driver's assignment. */
export interface PersonalAssignment {
  readonly assignment_id: AssignmentId
  readonly trip_id: TripId
}

/**
 * All methods include deleted records.
 *
 * - `ofCustomer`, `ofDriver`, `ofUser`: the person of a record; `None` if it is absent, another business's or erased.
 * - `ofContact`: the person with that email or phone number; the business's customers with them are among the records.
 * - `retire`: locks the person's records and deletes them, so that nothing can refer to them any more: customers, drivers
 *   with their account's link. It waits for open transactions that book by email. The lines of the business's ended imports are
 *   removed as a whole: any of them may name the person.
 * - `openWork`: at most `most` of the person's open trips, quotes and bookings and unpaid invoices, of each kind.
 * - `size`: about how many records and documents an erasure reads, of each kind at most `most`.
 * - `fileNames`: the uploads that the person's records name and no other record of the business does.
 * - `forgetUploads`: deletes the rows of uploads.
 * - `lockTrips`: at most `limit` of the person's trips after an id, in order of id, locked. Those that the business
 *   deleted have `deleted_at`.
 * - `eraseBesideTrips`: prepares the erasure of trips whose customer the person is: retains the names on their invoices,
 *   erases their tracking links, their positions, the checks of their flights, the places in their fares and their emails in the
 *   snapshots of invoices, and marks them as erased.
 * - `eraseQuotes`, `eraseBookings`: erase at most `limit` of the person's, and return how many. An erased quote has another
 *   `version`, so that no request stores the offer that it read before.
 * - `eraseTemplates`: deletes at most `limit` templates of trips that have the person as the customer or mention the person, and
 *   returns how many.
 * - `views`: the saved views of the members of a business. `removeViews`: deletes views.
 * - `eraseInvoices`: erases how the customers are reached from the snapshots of their invoices, and the person's emails from
 *   those of others; names and postal addresses stay. It takes at most `limit` invoices after an id, in order of id, and
 *   returns their ids.
 * - `lockAssignments`: at most `limit` of the drivers' assignments after an id, in order of id; their trips are locked in
 *   order of id.
 * - `erasePositions`: erases the reported positions of these assignments.
 * - `erasedAmong`: those of the references that name an erased record.
 * - `documents`: a page of the copies after a key that may be personal, about `limit` at most. Sealed responses and
 *   messages are opened; one that cannot be opened is left out. They are those of all businesses, and name theirs in
 *   `business_id`.
 * - `saveDocuments`: replaces the contents of copies of one kind; null deletes a message. The number of statements does not
 *   depend on the number of copies.
 * - `finish`: erases the records themselves and all of their credentials, and retains the customers' names for their
 *   invoices. Returns the number of those invoices.
 */
export class PersonalData extends Context.Service<
  PersonalData,
  {
    readonly ofCustomer: (businessId: BusinessId, id: CustomerId) => Effect.Effect<Option.Option<Person>>
    readonly ofDriver: (businessId: BusinessId, id: DriverId) => Effect.Effect<Option.Option<Person>>
    readonly ofUser: (userId: UserId) => Effect.Effect<Option.Option<Person>>
    readonly ofContact: (businessId: BusinessId, contact: Contact) => Effect.Effect<Person>
    readonly retire: (person: Person, now: DateTime.Utc) => Effect.Effect<void>
    readonly openWork: (person: Person, most: number) => Effect.Effect<OpenWork>
    readonly size: (person: Person, most: number) => Effect.Effect<number>
    readonly fileNames: (person: Person) => Effect.Effect<ReadonlyArray<string>>
    readonly forgetUploads: (businessId: BusinessId, fileNames: ReadonlyArray<string>) => Effect.Effect<void>
    readonly lockTrips: (person: Person, after: number, limit: number) => Effect.Effect<ReadonlyArray<Trip>>
    readonly eraseBesideTrips: (
      businessId: BusinessId,
      tripIds: ReadonlyArray<TripId>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    readonly eraseQuotes: (person: Person, limit: number, now: DateTime.Utc) => Effect.Effect<number>
    readonly eraseBookings: (person: Person, limit: number, now: DateTime.Utc) => Effect.Effect<number>
    readonly eraseTemplates: (person: Person, limit: number) => Effect.Effect<number>
    readonly views: (
      businessId: BusinessId
    ) => Effect.Effect<ReadonlyArray<Pick<SavedView, "view_id" | "name" | "query">>>
    readonly removeViews: (ids: ReadonlyArray<SavedViewId>) => Effect.Effect<void>
    readonly eraseInvoices: (
      person: Person,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<InvoiceId>>
    readonly lockAssignments: (
      person: Person,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PersonalAssignment>>
    readonly erasePositions: (
      businessId: BusinessId,
      assignmentIds: ReadonlyArray<AssignmentId>
    ) => Effect.Effect<void>
    readonly erasedAmong: (
      businessId: BusinessId | null,
      references: ReadonlyArray<Reference>
    ) => Effect.Effect<ReadonlyArray<Reference>>
    readonly documents: (
      kind: DocumentKind,
      person: Person,
      after: string,
      limit: number
    ) => Effect.Effect<DocumentPage>
    readonly saveDocuments: (
      kind: DocumentKind,
      businessId: BusinessId | null,
      documents: ReadonlyArray<PersonalDocument>
    ) => Effect.Effect<void>
    readonly finish: (person: Person, now: DateTime.Utc) => Effect.Effect<number>
  }
>()("@livery/domain/PersonalData") {}
