/** A calendar file with one event (RFC 5545), which calendars import from an email. */
import type { DateTime } from "effect"
import { rfc3339 } from "../kernel/time/WallClock.ts"

/**
 * A file by which the organizer of an event asks an attendee to enter it (`REQUEST`) or to remove it (`CANCEL`), by RFC 5546.
 * Mail programs and calendars do so by themselves.
 */
interface Invitation {
  readonly method: "REQUEST" | "CANCEL"
  readonly organizer: { readonly name: string; readonly email: string }
  readonly attendee: { readonly name: string; readonly email: string }
}

/**
 * An event. `uid` stays the same for one event, and `sequence` rises with each file of it ({@link sequenceAt}), so that a
 * later file replaces an earlier one.
 */
export interface CalendarEvent {
  readonly invitation: Invitation
  readonly uid: string
  readonly summary: string
  readonly location: string | null
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  /** When the file is written. */
  readonly stamp: DateTime.Utc
}

const sequenceStart = Date.UTC(2025, 0, 1)

/** The sequence number of a file that is written at an instant: the seconds since 2025. A later file has a higher number. */
export const sequenceAt = ({ epochMilliseconds }: DateTime.Utc): number =>
  Math.max(0, Math.floor((epochMilliseconds - sequenceStart) / 1000))

/** The content type of the attachment. */
export const calendarType = (method: Invitation["method"]): string =>
  `text/calendar; charset=utf-8; method=${method}`

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

/** The file of an event. */
export const calendarFile = (event: CalendarEvent): Uint8Array => {
  const { attendee, method, organizer } = event.invitation
  return utf8.encode(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Livery//Livery//EN",
      `METHOD:${method}`,
      "BEGIN:VEVENT",
      `UID:${escaped(event.uid)}`,
      `SEQUENCE:${sequenceAt(event.stamp)}`,
      `DTSTAMP:${compactInstant(event.stamp)}`,
      `DTSTART:${compactInstant(event.starts_at)}`,
      `DTEND:${compactInstant(event.ends_at)}`,
      `SUMMARY:${escaped(event.summary)}`,
      ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
      `ORGANIZER;CN=${parameter(organizer.name)}:mailto:${escaped(organizer.email)}`,
      `ATTENDEE;CN=${parameter(attendee.name)};ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=FALSE:mailto:${escaped(attendee.email)}`,
      `STATUS:${method === "CANCEL" ? "CANCELLED" : "CONFIRMED"}`,
      "END:VEVENT",
      "END:VCALENDAR",
      ""
    ]
      .map(folded)
      .join("\r\n")
  )
}
