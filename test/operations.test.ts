import {
  type AssignmentRecord,
  type CarRecord,
  type CreatedEndpointRecord,
  type DriverRecord,
  type DriverTripRecord,
  type InvitationResult,
  type LoginResult,
  type TimelineRecord,
  type TrackedTripRecord,
  type TrackingLinkRecord,
  type TripRecord
} from "@livery/domain"
import { verify } from "@livery/domain/verify"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp, trip } from "./support/Account.ts"
import { type Answer, bearer, type Client, clientOf } from "./support/Client.ts"
import { openEventStream } from "./support/EventStream.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { codeFor } from "./support/Mail.ts"
import { receiver } from "./support/Receiver.ts"
import type { Server } from "./support/Server.ts"

/** What an answer holds that has to be of this status. */
const given = <A>({ body, status, text }: Answer<A>, expected = 200): A => {
  assert.strictEqual(status, expected, text)
  return body.data
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe("a day's work", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  /** A driver of the business who was invited by mail, accepted and signed in. */
  const driverWithAccount = async (business: Client) => {
    const anyone = clientOf(server.api)
    const email = `wheel-${account.businessId}@cars.example`
    const password = "a driver's long password"
    const { driver_id } = given(
      await business.post<DriverRecord>("/drivers", { name: "Bertha Benz", email }),
      201
    )
    given(await business.post(`/drivers/${driver_id}/invite`))
    const code = await codeFor(place.directory, email)
    const accepted = given(
      await anyone.post<InvitationResult>("/auth/accept-invitation", { code, password }),
      201
    )
    assert.deepInclude(accepted, { driver_id, business_id: account.businessId })
    const again = await anyone.post("/auth/accept-invitation", { code, password })
    assert.strictEqual(again.status, 422, "a code is good for once")
    const session = given(await anyone.post<LoginResult>("/auth/login", { email, password }))
    assert.strictEqual(session.user.account_type, "D")
    return { driver_id, client: clientOf(server.api, bearer(session.access_token)) }
  }

  it("goes from a booking to the end of the ride, with all its events", async () => {
    const business = account.client
    const ears = await receiver()
    try {
      const types = ["trip.created", "trip.updated", "trip.completed", "trip.cancelled", "driver.assigned"]
      const { secret } = given(
        await business.post<CreatedEndpointRecord>("/webhooks", { url: ears.url, events: types }),
        201
      )
      const received: Array<string> = []
      /** Waits until these came beside what came before, each with a signature that verifies. */
      const hears = async (...expected: ReadonlyArray<string>) => {
        const before = received.length
        await ears.notice(() => ears.notices.length >= before + expected.length)
        const notices = ears.notices.slice(before)
        for (const { headers, raw } of notices)
          await verify(String(headers["x-service-signature"]), raw, secret)
        const came = notices.map(({ event }) => event.type)
        assert.sameMembers(came, [...expected])
        received.push(...came)
        return notices.map(({ event }) => event)
      }

      const { client: driver, driver_id } = await driverWithAccount(business)
      const { car_id } = given(
        await business.post<CarRecord>("/cars", { name: "S-Class", plate_number: "ZH 1", seats: 4 }),
        201
      )
      const trip_date = inAnHour()
      const booked = given(
        await business.post<TripRecord>("/trips", {
          ...trip("Ada Lovelace"),
          customer_email: "ada@example.com",
          trip_date,
          car_id,
          duration_minutes: 90
        }),
        201
      )
      const { trip_id } = booked
      assert.deepInclude(booked, { status: "confirmed", driver_status: "unassigned", driver_ids: [] })
      await hears("trip.created")

      const assigned = given(
        await business.post<AssignmentRecord>(`/trips/${trip_id}/drivers`, { driver_ids: [driver_id] })
      )
      assert.deepInclude(assigned.trip, { status: "confirmed", driver_status: "assigned" })
      const [event] = await hears("driver.assigned")
      assert.deepStrictEqual(event?.data, {
        trip_id,
        driver_ids: [driver_id],
        assignments: [{ driver_id, car_id: null }],
        added_driver_ids: [driver_id],
        removed_driver_ids: [],
        declined_driver_ids: []
      })
      const token = assigned.drivers[0]?.driver_token ?? ""

      const jobs = given(await driver.get<ReadonlyArray<DriverTripRecord>>("/me/driver/trips"))
      assert.deepStrictEqual(
        jobs.map(({ status, trip_id }) => [trip_id, status]),
        [[trip_id, "assigned"]]
      )
      const forDrivers = await driver.get(`/me/driver/trips/${trip_id}`)
      const byToken = await clientOf(server.api).get(`/driver/trip?token=${token}`)
      for (const { text } of [forDrivers, byToken])
        assert.notMatch(text, /129\.5|total_amount|payment_status|ada@example\.com/u)
      assert.strictEqual((await driver.get("/trips")).status, 403, "a driver sees the driver's routes alone")

      const here = { lat: 47.4502, lng: 8.5618 }
      assert.deepStrictEqual(given(await driver.post("/me/driver/location", here)), { recorded: false })
      const early = await driver.patch(`/me/driver/trips/${trip_id}`, { status: "completed" })
      assert.strictEqual(early.status, 422, "arriving requires having set off")
      assert.deepStrictEqual(early.body.error?.details, [{ field: "status", issue: "illegal_transition" }])

      const link = given(await business.post<TrackingLinkRecord>(`/trips/${trip_id}/tracking-link`), 201)
      const passenger = clientOf(server.api)
      const tracking = `/public/tracking/${link.token}`
      assert.deepInclude(given(await passenger.get<TrackedTripRecord>(tracking)), {
        status: "confirmed",
        position: null
      })
      const followed = await openEventStream(`${server.api}${tracking}/stream`)
      assert.strictEqual(followed.status, 200)
      assert.match(followed.contentType ?? "", /^text\/event-stream/u)

      given(await driver.patch(`/me/driver/trips/${trip_id}`, { status: "en_route" }))
      const [setOff] = await hears("trip.updated")
      assert.deepInclude(setOff?.data, { trip_id, status: "in_progress", driver_status: "en_route" })
      given(await driver.patch(`/me/driver/trips/${trip_id}`, { status: "en_route" }))
      assert.deepStrictEqual(given(await driver.post("/me/driver/location", here)), { recorded: true })
      const { data } = await followed.event(({ event }) => event === "position")
      assert.deepInclude(data["position"], here)
      assert.deepInclude(data["driver"], { first_name: "Bertha" })
      assert.notMatch(JSON.stringify(data), /Ada|Benz|driver_id|customer/u)
      const there = { lat: 47.3769, lng: 8.5417 }
      given(await passenger.post(`/driver/location?token=${token}`, there))
      await followed.event(({ data }) => JSON.stringify(data).includes("47.3769"))
      assert.deepInclude(given(await passenger.get<TrackedTripRecord>(tracking)).position, there)
      given(await driver.patch(`/me/driver/trips/${trip_id}`, { milestone: "passenger_on_board", ...there }))

      const board = given(
        await business.get<ReadonlyArray<Readonly<Record<string, unknown>>>>(
          `/dispatch/trips?date=${trip_date.slice(0, 10)}`
        )
      )
      assert.lengthOf(board, 1)
      assert.include(JSON.stringify(board), "passenger_on_board")
      assert.include(JSON.stringify(board), "47.3769")
      const positions = given(
        await business.get<ReadonlyArray<Readonly<Record<string, unknown>>>>("/drivers/locations")
      )
      assert.deepInclude(positions[0], { driver_id, trip_id, stale: false, ...there })

      given(await passenger.post(`/driver/status?token=${token}`, { status: "completed" }))
      const ended = await hears("trip.updated", "trip.completed")
      for (const { data } of ended)
        assert.deepInclude(data, { status: "completed", driver_status: "completed" })
      await followed.ended
      assert.strictEqual(followed.events.at(-1)?.data["status"], "completed")
      assert.deepInclude(given(await passenger.get<TrackedTripRecord>(tracking)), {
        status: "completed",
        position: null
      })
      assert.strictEqual((await passenger.get(`/driver/trip?token=${token}`)).status, 401)
      const late = await business.patch(`/trips/${trip_id}`, { status: "cancelled" })
      assert.strictEqual(late.status, 422)
      given(await business.patch(`/trips/${trip_id}`, { notes: "All well", total_amount: 140 }))

      const timeline = given(await business.get<ReadonlyArray<TimelineRecord>>(`/trips/${trip_id}/timeline`))
      assert.deepStrictEqual(
        timeline.filter(({ change }) => change === "status_changed").map(({ after }) => after?.["status"]),
        ["in_progress", "completed"]
      )
      const reported = timeline.map(({ actor, change }) => `${change} by ${actor.split(":")[0]}`)
      for (const line of ["created by api_key", "driver_assigned by api_key", "updated by api_key"])
        assert.include(reported, line)
      assert.isTrue(
        reported.some((line) => /^milestone_reached by (?:user|driver)$/u.test(line)),
        reported.join()
      )

      const feed = given(await business.get<ReadonlyArray<{ readonly type: string }>>("/events"))
      assert.deepStrictEqual(
        feed.map(({ type }) => type),
        ["trip.created", "driver.assigned", "trip.updated", "trip.updated", "trip.completed"]
      )
      assert.lengthOf(ears.notices, feed.length, "each was sent once")
      for (const secretThing of [token, link.token, secret])
        assert.notInclude(server.program.stdout() + server.program.stderr(), secretThing)
    } finally {
      await ears.close()
    }
  })
})
