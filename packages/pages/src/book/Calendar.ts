/** A calendar file (RFC 5545). */

/** An entry of a calendar. */
export interface Entry {
  readonly id: string
  readonly start: string
  readonly end: string
  readonly title: string
  readonly place: string
  readonly text: string
  readonly isConfirmed: boolean
}

const escaped = (text: string) =>
  text.replaceAll(/[\\;,]/gu, (sign) => `\\${sign}`).replaceAll(/\r\n|\r|\n/gu, "\\n")

const stamp = (instant: string) => new Date(instant).toISOString().replaceAll(/[-:]|\.\d+/gu, "")

/** A line of at most 75 bytes, continued on the next lines. */
const folded = (line: string) => {
  const encoder = new TextEncoder()
  let bytes = 0
  let out = ""
  for (const sign of line) {
    const size = encoder.encode(sign).length
    if (bytes + size > 73) {
      out += "\r\n "
      bytes = 1
    }
    out += sign
    bytes += size
  }
  return out
}

const linesOf = ({ end, id, isConfirmed, place, start, text, title }: Entry) => [
  "BEGIN:VEVENT",
  `UID:${escaped(id)}`,
  `DTSTAMP:${stamp(new Date().toISOString())}`,
  `DTSTART:${stamp(start)}`,
  `DTEND:${stamp(end)}`,
  `SUMMARY:${escaped(title)}`,
  `LOCATION:${escaped(place)}`,
  `DESCRIPTION:${escaped(text)}`,
  `STATUS:${isConfirmed ? "CONFIRMED" : "TENTATIVE"}`,
  "END:VEVENT"
]

/** The text of the file. */
export const calendarFile = (entries: ReadonlyArray<Entry>): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Livery//Booking page//EN",
    ...entries.flatMap(linesOf),
    "END:VCALENDAR",
    ""
  ]
    .map(folded)
    .join("\r\n")
