import { calendarFile } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const textOf = (summary: string, location: string | null = null) =>
  new TextDecoder("utf-8", { fatal: true }).decode(
    calendarFile({
      uid: "1@livery",
      summary,
      location,
      starts_at: at("10:00:00"),
      ends_at: at("11:30:00"),
      stamp: at("09:30:00")
    })
  )

describe("a calendar file", () => {
  it("has one event in UTC, with lines that end in CRLF", () => {
    assert.strictEqual(
      textOf("Tour", "Here"),
      [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Livery//Livery//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        "UID:1@livery",
        "DTSTAMP:20261120T093000Z",
        "DTSTART:20261120T100000Z",
        "DTEND:20261120T113000Z",
        "SUMMARY:Tour",
        "LOCATION:Here",
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
        ""
      ].join("\r\n")
    )
  })

  it("gets no further line from a text with line breaks", () => {
    const text = textOf("Tour; a, b\\c\r\nATTENDEE:x\nDTSTART:y\u0000")
    assert.include(text, "SUMMARY:Tour\\; a\\, b\\\\c\\nATTENDEE:x\\nDTSTART:y\r\n")
    assert.lengthOf(text.split("\r\n"), 14)
  })

  it("has lines of at most 75 bytes, and divides no character", () => {
    const summary = "Über 東京 \u{1F469}\u200D\u{1F467} ".repeat(40)
    const text = textOf(summary)
    for (const line of text.split("\r\n")) assert.isAtMost(new TextEncoder().encode(line).length, 75)
    assert.include(text.replaceAll("\r\n ", ""), `SUMMARY:${summary}`)
  })
})
