/** A calendar file (RFC 5545): an event that calendars import from an email, or a feed to which they subscribe. */
import type { DateTime } from "effect"
import { rfc3339 } from "../kernel/time/WallClock.ts"

/**
 * By an invitation, the organizer of an event asks an attendee to enter it (`REQUEST`) or to remove it (`CANCEL`), by RFC 5546.
 * Mail programs and calendars do so by themselves.
 */
export interface Invitation {
  readonly method: "REQUEST" | "CANCEL"
  readonly organizer: { readonly name: string; readonly email: string }
  readonly attendee: { readonly name: string; readonly email: string }
}

/**
 * An event. `uid` stays the same for one event, and its sequence rises with its stamp ({@link sequenceAt}), so that a later
 * file replaces an earlier one.
 */
export interface CalendarEvent {
  readonly invitation?: Invitation
  readonly uid: string
  readonly status: "tentative" | "confirmed" | "cancelled"
  readonly summary: string
  readonly description: string | null
  readonly location: string | null
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  /** When this version of the event was made. */
  readonly stamp: DateTime.Utc
}

/** A file. A feed has a name, and the minutes after which calendars should read it again. An invitation has one event. */
export interface Calendar {
  readonly events: ReadonlyArray<CalendarEvent>
  readonly feed?: { readonly name: string; readonly refreshMinutes: number }
}

const sequenceStart = Date.UTC(2025, 0, 1)

/**
 * The sequence number of an event that was made at an instant: the seconds since 2025. It needs no counter, and an email and
 * a feed have the same one for the same change.
 */
export const sequenceAt = ({ epochMilliseconds }: DateTime.Utc): number =>
  Math.max(0, Math.floor((epochMilliseconds - sequenceStart) / 1000))

declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array<ArrayBuffer> }
const utf8 = new TextEncoder()

const compactInstant = (at: DateTime.Utc) => rfc3339(at).replaceAll(/[-:]/gu, "")

const escaped = (text: string) =>
  text
    .replaceAll(/[\\;,]/gu, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/gu, String.raw`\n`)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, "")

/** A line in parts of at most 75 bytes; a part after the first begins with a space. No character is divided. */
const folded = (line: string): string => {
  const parts = [""]
  let bytes = 0
  for (const character of line) {
    const size = utf8.encode(character).length
    if (bytes + size > 74) {
      parts.push("")
      bytes = 1
    }
    parts.push(`${parts.pop() ?? ""}${character}`)
    bytes += size
  }
  return parts.join("\r\n ")
}

/** A name as a parameter: without the signs that would end it. */
const parameter = (name: string) => `"${name.replaceAll(/["\p{Cc}\p{Cs}]/gu, "")}"`

const linesOfInvitation = ({ attendee, organizer }: Invitation): ReadonlyArray<string> => [
  `ORGANIZER;CN=${parameter(organizer.name)}:mailto:${escaped(organizer.email)}`,
  `ATTENDEE;CN=${parameter(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:mailto:${escaped(attendee.email)}`
]

const linesOf = (event: CalendarEvent): ReadonlyArray<string> => [
  "BEGIN:VEVENT",
  `UID:${escaped(event.uid)}`,
  `SEQUENCE:${sequenceAt(event.stamp)}`,
  `DTSTAMP:${compactInstant(event.stamp)}`,
  `DTSTART:${compactInstant(event.starts_at)}`,
  `DTEND:${compactInstant(event.ends_at)}`,
  `SUMMARY:${escaped(event.summary)}`,
  ...(event.description === null ? [] : [`DESCRIPTION:${escaped(event.description)}`]),
  ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
  ...(event.invitation === undefined ? [] : linesOfInvitation(event.invitation)),
  `STATUS:${event.status.toUpperCase()}`,
  "END:VEVENT"
]

/** Calendars differ in the property that they read, so each is there twice: by RFC 7986, and as before it. */
const linesOfFeed = ({ name, refreshMinutes }: NonNullable<Calendar["feed"]>): ReadonlyArray<string> => [
  `NAME:${escaped(name)}`,
  `X-WR-CALNAME:${escaped(name)}`,
  `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`,
  `X-PUBLISHED-TTL:PT${refreshMinutes}M`
]

/** The content type of an invitation in an email. */
export const invitationType = (method: Invitation["method"]): string =>
  `text/calendar; charset=utf-8; method=${method}`

/** The bytes of a file. */
export const calendarFile = ({ events, feed }: Calendar): Uint8Array<ArrayBuffer> =>
  utf8.encode(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Livery//Livery//EN",
      `METHOD:${events[0]?.invitation?.method ?? "PUBLISH"}`,
      ...(feed === undefined ? [] : linesOfFeed(feed)),
      ...events.flatMap(linesOf),
      "END:VCALENDAR",
      ""
    ]
      .map(folded)
      .join("\r\n")
  )
