import { assert, describe, it } from "@effect/vitest"
import { BusinessProfile, BusinessProfileChanges, defaultBookingPage, isOpenAt } from "@livery/domain"
import { DateTime } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"

const closedOn = (from: string, to: string) => ({ ...defaultBookingPage, blackout_dates: [{ from, to }] })

/** The days of a list on which the business is open at noon. */
const openDays = (settings: typeof defaultBookingPage, ...days: ReadonlyArray<string>) =>
  days.filter((day) => isOpenAt(settings, DateTime.makeUnsafe(`${day}T12:00:00Z`), "UTC"))

describe("black-out dates", () => {
  it("of every year may span the new year; others must be in order and have one form", () => {
    const issues = (from: string, to: string) =>
      issuesOf(BusinessProfileChanges, { booking_page: { blackout_dates: [{ from, to }] } })
    const wrong = ["booking_page.blackout_dates.0 invalid"]
    assert.deepStrictEqual(issues("12-30", "01-02"), [])
    assert.deepStrictEqual(issues("2026-12-24", "2026-12-24"), [])
    assert.deepStrictEqual(issues("2026-12-31", "2026-12-24"), wrong)
    assert.deepStrictEqual(issues("12-24", "2026-12-26"), wrong)
    assert.deepStrictEqual(issues("2026-12-24", "12-26"), wrong)
  })

  it("of every year that span the new year close the days on both sides", () => {
    const days = ["2026-12-29", "2026-12-30", "2027-01-02", "2027-01-03"]
    assert.deepStrictEqual(openDays(closedOn("12-30", "01-02"), ...days), ["2026-12-29", "2027-01-03"])
  })

  it("in the wrong order that were stored earlier are read, and close no day", () => {
    const stored = closedOn("2026-12-31", "2026-12-24")
    assert.deepStrictEqual(decoded(BusinessProfile.fields.booking_page, stored), stored)
    const days = ["2026-06-01", "2026-12-24", "2026-12-27", "2026-12-31"]
    assert.deepStrictEqual(openDays(stored, ...days), days)
  })
})

describe("the sites that may embed the booking page", () => {
  it("are named by their origins, in which nothing else can be hidden", () => {
    const wrong = (...origins: ReadonlyArray<string>) =>
      issuesOf(BusinessProfileChanges, { booking_page: { embed_origins: origins } })
    assert.deepStrictEqual(
      wrong("https://www.example.com", "https://example.com:8443", "http://localhost:8080"),
      []
    )
    for (const origin of [
      "http://example.com",
      "https://example.com/",
      "https://example.com/book",
      "https://*.example.com",
      "*",
      "https:",
      "'self'",
      "https://user@example.com",
      "https://example.com https://other.com",
      "https://example.com; script-src *",
      "https://example.com\nhttps://other.com",
      "https://EXAMPLE.com",
      ""
    ])
      assert.deepStrictEqual(wrong(origin), ["booking_page.embed_origins.0 invalid"], origin)
    assert.deepStrictEqual(wrong(...Array.from({ length: 21 }, () => "https://example.com")), [
      "booking_page.embed_origins too_long"
    ])
  })

  it("are none in settings that were stored before sites could be named", () => {
    const { asks_payment: _asks, embed_origins: _origins, ...earlier } = defaultBookingPage
    assert.deepStrictEqual(decoded(BusinessProfile.fields.booking_page, earlier), defaultBookingPage)
  })
})
