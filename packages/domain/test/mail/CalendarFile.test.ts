import { type CalendarEvent, calendarFile, sequenceAt } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import ICAL from "ical.js"

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const eventOf = (summary: string, location: string | null): CalendarEvent => ({
  uid: "1@livery",
  status: "confirmed",
  summary,
  description: null,
  location,
  starts_at: at("10:00:00"),
  ends_at: at("11:30:00"),
  stamp: at("09:30:00")
})

const textOf = (summary: string, location: string | null = null) =>
  new TextDecoder("utf-8", { fatal: true }).decode(calendarFile({ events: [eventOf(summary, location)] }))

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
        "SEQUENCE:59477400",
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

  it("of an email asks the attendee to enter the event, or to remove it", () => {
    const textOfMethod = (method: "REQUEST" | "CANCEL") =>
      new TextDecoder()
        .decode(
          calendarFile({
            events: [
              {
                ...eventOf("Tour", null),
                invitation: {
                  method,
                  organizer: { name: 'Cars "A"; Co', email: "cars@example.com" },
                  attendee: { name: "Zoë\r\nX:y", email: "zoe@example.com" }
                }
              }
            ]
          })
        )
        .replaceAll("\r\n ", "")
    const parsed = new ICAL.Component(ICAL.parse(textOfMethod("REQUEST")))
    assert.strictEqual(parsed.getFirstPropertyValue("method"), "REQUEST")
    const event = new ICAL.Event(parsed.getFirstSubcomponent("vevent") as ICAL.Component)
    assert.strictEqual(event.organizer, "mailto:cars@example.com")
    assert.strictEqual(event.attendees[0]?.getFirstValue(), "mailto:zoe@example.com")
    assert.include(textOfMethod("REQUEST"), 'ORGANIZER;CN="Cars A; Co":mailto:cars@example.com\r\n')
    assert.include(textOfMethod("CANCEL"), "METHOD:CANCEL\r\n")
  })

  it("gets no further line from a text with line breaks", () => {
    const text = textOf("Tour; a, b\\c\r\nATTENDEE:x\nDTSTART:y\u0000")
    assert.include(text, "SUMMARY:Tour\\; a\\, b\\\\c\\nATTENDEE:x\\nDTSTART:y\r\n")
    assert.lengthOf(text.split("\r\n"), 15)
  })

  it("has lines of at most 75 bytes, and divides no character", () => {
    const summary = "Über 東京 \u{1F469}\u200D\u{1F467} ".repeat(40)
    const text = textOf(summary)
    for (const line of text.split("\r\n")) assert.isAtMost(new TextEncoder().encode(line).length, 75)
    assert.include(text.replaceAll("\r\n ", ""), `SUMMARY:${summary}`)
  })

  it("is read back as its events by another program, with the id, the sequence and the status of each", () => {
    const events = (["tentative", "confirmed", "cancelled"] as const).map((status, index) => ({
      ...eventOf("Ride; to, the\\ airport\n2", "Hauptstraße 1, Zürich"),
      uid: `${index}@livery`,
      status,
      description: "A, B; C\nD"
    }))
    const file = calendarFile({ events, feed: { name: "Cars Zürich", refreshMinutes: 15 } })
    const read = new ICAL.Component(ICAL.parse(new TextDecoder().decode(file)))
    assert.deepStrictEqual(
      ["version", "method", "name", "x-wr-calname", "x-published-ttl"].map((name) =>
        read.getFirstPropertyValue(name)
      ),
      ["2.0", "PUBLISH", "Cars Zürich", "Cars Zürich", "PT15M"]
    )
    assert.strictEqual(String(read.getFirstPropertyValue("refresh-interval")), "PT15M")
    const found = read.getAllSubcomponents("vevent").map((component) => {
      const { description, endDate, location, sequence, startDate, summary, uid } = new ICAL.Event(component)
      assert.strictEqual(component.getFirstPropertyValue("dtstamp")?.toString(), "2026-11-20T09:30:00Z")
      const status = String(component.getFirstPropertyValue("status")).toLowerCase()
      const times = [startDate.toString(), endDate.toString(), startDate.zone.tzid]
      return { uid, sequence, status, summary, description, location, times }
    })
    assert.deepEqual<ReadonlyArray<object>>(
      found,
      events.map(({ description, location, stamp, status, summary, uid }) => ({
        uid,
        sequence: sequenceAt(stamp),
        status,
        summary,
        description,
        location,
        times: ["2026-11-20T10:00:00Z", "2026-11-20T11:30:00Z", "UTC"]
      }))
    )
  })
})

describe("the sequence of an event", () => {
  it("rises with each change", () => {
    const sequences = ["09:30:00", "09:30:01", "09:45:00"].map((time) => sequenceAt(at(time)))
    assert.deepStrictEqual(sequences, [59_477_400, 59_477_401, 59_478_300])
  })
})
