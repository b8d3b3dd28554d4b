/** A calendar file with one event (RFC 5545), which calendars import from an email. */
import type { DateTime } from "effect"
import { rfc3339 } from "../../kernel/time/WallClock.ts"

/** An event. `uid` stays the same for one event, so that a second file of it replaces the first one. */
export interface CalendarEvent {
  readonly uid: string
  readonly summary: string
  readonly location: string | null
  readonly starts_at: DateTime.Utc
  readonly ends_at: DateTime.Utc
  /** When the file is written. */
  readonly stamp: DateTime.Utc
}

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

/** The file of an event. */
export const calendarFile = (event: CalendarEvent): Uint8Array =>
  utf8.encode(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Livery//Livery//EN",
      "METHOD:PUBLISH",
      "BEGIN:VEVENT",
      `UID:${escaped(event.uid)}`,
      `DTSTAMP:${compactInstant(event.stamp)}`,
      `DTSTART:${compactInstant(event.starts_at)}`,
      `DTEND:${compactInstant(event.ends_at)}`,
      `SUMMARY:${escaped(event.summary)}`,
      ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
      "STATUS:CONFIRMED",
      "END:VEVENT",
      "END:VCALENDAR",
      ""
    ]
      .map(folded)
      .join("\r\n")
  )
