/** The messages that an erasure reaches: in the outbox, and the copies of sent ones. */
import { Effect, Predicate } from "effect"
import type { Person } from "./Person.ts"
import { type DocumentKind, type DocumentPage, PersonalData } from "./PersonalData.ts"
import { type Reference, referencesIn } from "./Redaction.ts"
import { SentMail } from "./SentMail.ts"

/** How many sealed copies a transaction reads: few, because opening them keeps the process busy. */
export const sealedBatch = 100

/** A text that is the same for references to the same record. */
export const keyOf = ({ id, kind }: Reference) => `${kind}:${id}`

/**
 * Whether an erasure may change a copy. Stored responses and messages of all businesses are in one table, so their contents
 * have a `business_id`. A business erases only its own; the erasure of an account reaches all.
 */
export const isWithin = ({ business_id }: Person, kind: DocumentKind, content: unknown) =>
  business_id === null ||
  (kind !== "responses" && kind !== "messages") ||
  (Predicate.hasProperty(content, "business_id") && content.business_id === business_id)

/** Makes the functions that find erased references and erase messages. */
export const makeErasedMessages = Effect.gen(function* () {
  const personal = yield* PersonalData
  const sentMail = yield* SentMail

  /** Those of the references that name an erased record, or the person's own. */
  const erasedAmong = Effect.fnUntraced(function* (person: Person, references: ReadonlyArray<Reference>) {
    const own = new Set([
      ...person.customer_ids.map((id) => keyOf({ kind: "customer", id })),
      ...person.driver_ids.map((id) => keyOf({ kind: "driver", id })),
      ...person.user_ids.map((id) => keyOf({ kind: "user", id }))
    ])
    return [
      ...(yield* personal.erasedAmong(person.business_id, references)),
      ...references.filter((reference) => own.has(keyOf(reference)))
    ]
  })

  /** Erases the messages about trips of other customers, of which no record says later that they were the person's too. */
  const eraseMessagesAbout = Effect.fnUntraced(function* (person: Person, tripIds: ReadonlySet<number>) {
    const { business_id } = person
    const isAbout = ({ id, kind }: Reference) => kind === "trip" && tripIds.has(id)
    for (let after: string | null = ""; after !== null;) {
      const page: DocumentPage = yield* personal.documents("messages", person, after, sealedBatch)
      const about = page.documents.filter(
        ({ content }) => isWithin(person, "messages", content) && referencesIn(content).some(isAbout)
      )
      yield* personal.saveDocuments(
        "messages",
        business_id,
        about.map(({ key }) => ({ key, content: null }))
      )
      after = page.next
    }
    yield* sentMail.erase(business_id, {
      addresses: [],
      erasedAmong: (named) => Effect.succeed(named.filter(isAbout))
    })
  })

  /** Erases the copies of sent messages to the person, or about an erased record. Returns how many. */
  const eraseSent = (person: Person) =>
    sentMail.erase(person.business_id, {
      addresses: person.emails,
      erasedAmong: (named) => erasedAmong(person, named)
    })

  return { erasedAmong, eraseMessagesAbout, eraseSent }
})
