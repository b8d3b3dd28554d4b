/** A dispatcher's day against `livery serve`, at the default limit of requests: every answer must be a success. */
import type { LoginResult } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { type Answer, bearer, clientOf } from "./support/Client.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

interface Warning {
  readonly type: string
  readonly trip_id?: number
  readonly driver_id?: number
}

interface Trip {
  readonly trip_id: number
  readonly status: string
  readonly trip_date: string
  readonly pickup_at: string
  readonly driver_ids: ReadonlyArray<number>
  readonly car_id: number | null
  readonly warnings: ReadonlyArray<Warning>
}

/** The limits of an installation that sets none. */
const defaultLimits = { RATE_LIMIT_BUSINESS: "600", RATE_LIMIT_AUTH: "20", RATE_LIMIT_PUBLIC: "120" }

const day = "2031-05-03"
const at = (time: string) => `${day}T${time}:00Z`

/** The data of an answer that has to be a success. */
const dataOf = <A>({ body, status, text }: Answer<A>): A => {
  assert.isBelow(status, 300, text)
  return body.data
}

describe("a dispatcher's day", () => {
  let place: Installation
  let server: Server
  let account: Account
  const drivers: Array<number> = []
  const cars: Array<number> = []

  const post = async <A>(path: string, body?: unknown) => dataOf(await account.client.post<A>(path, body))
  const patch = async <A>(path: string, body: unknown) => dataOf(await account.client.patch<A>(path, body))
  const get = async <A>(path: string) => dataOf(await account.client.get<A>(path))
  const book = async (time: string, more: object = {}) =>
    post<Trip>("/trips", {
      trip_date: at(time),
      pickup_address: "Grand Hotel",
      dropoff_address: "Airport",
      customer_name: `Guest at ${time}`,
      ...more
    })
  const read = async (tripId: number) => get<Trip>(`/trips/${tripId}`)
  const timelineOf = async (tripId: number) =>
    get<ReadonlyArray<{ readonly change: string; readonly actor_name: string }>>(`/trips/${tripId}/timeline`)

  beforeAll(async () => {
    place = await installation({ settings: defaultLimits })
    server = await place.serve()
    account = await signUp(place, server)
    const root = { email: "root@livery.example", password: "a long quiet password" }
    await place.command(["users", "create", "--name", "Root", "--email", root.email, "--account-type", "S"], {
      input: `${root.password}\n`
    })
    const { access_token } = dataOf(await clientOf(server.api).post<LoginResult>("/auth/login", root))
    const admin = clientOf(server.api, bearer(access_token))
    dataOf(await admin.patch(`/admin/businesses/${account.businessId}`, { subscription_plan_id: 3 }))
    await patch("/settings/business", { clash_policy: "enforce" })
    for (let number = 1; number <= 8; number++) {
      const car = await post<{ car_id: number }>("/cars", { name: `Car ${number}`, seats: 4 })
      cars.push(car.car_id)
      const name = `Driver ${number}`
      const driver = await post<{ driver_id: number }>("/drivers", { name, default_car_id: car.car_id })
      drivers.push(driver.driver_id)
    }
  }, 120_000)
  afterAll(() => place.remove())

  it("gives the trips of a driver who falls ill to free colleagues, all in one request", async () => {
    const [ill = 0] = drivers
    const trips: Array<number> = []
    for (const time of ["08:00", "10:00", "12:00", "14:00", "16:00"]) {
      const { trip_id } = await book(time)
      await post(`/trips/${trip_id}/drivers`, { driver_ids: [ill] })
      trips.push(trip_id)
    }
    const absence = { kind: "sick", starts_at: at("00:00"), ends_at: "2031-05-04T00:00:00Z" }
    const asked = await account.client.post(`/drivers/${ill}/absences`, absence)
    assert.strictEqual(asked.body.error?.type, "confirmation_required", asked.text)
    const { warnings } = await post<{ warnings: ReadonlyArray<Warning> }>(`/drivers/${ill}/absences`, {
      ...absence,
      force: true
    })
    assert.deepStrictEqual(
      warnings.map(({ trip_id, type }) => [type, trip_id]),
      trips.map((trip_id) => ["driver_absent", trip_id])
    )
    const free = await get<ReadonlyArray<{ driver_id: number }>>(
      `/drivers/free?from=${at("08:00")}&to=${at("17:00")}`
    )
    assert.notInclude(
      free.map(({ driver_id }) => driver_id),
      ill
    )
    const entries = trips.map((trip_id, index) => ({ trip_id, driver_ids: [free[index]?.driver_id] }))
    const changed = await post<ReadonlyArray<{ warnings: ReadonlyArray<Warning> }>>(
      "/dispatch/assignments",
      entries
    )
    for (const one of changed) assert.deepStrictEqual(one.warnings, [])
    const mine = await get<ReadonlyArray<Trip>>(`/trips?driver_id=${ill}`)
    assert.deepStrictEqual(mine, [])
    const [first = 0] = trips
    const lines = await timelineOf(first)
    assert.deepStrictEqual(
      lines.map(({ actor_name, change }) => [change, actor_name]),
      ["created", "driver_assigned", "driver_removed", "driver_assigned"].map((change) => [
        change,
        "Grace Hopper"
      ])
    )
  })

  it("sends six cars to a wedding, and moves them by an hour when the ceremony does", async () => {
    const trips: Array<number> = []
    for (let number = 0; number < 6; number++)
      trips.push((await book("18:00", { group_id: "Wedding", customer_name: `Guests ${number}` })).trip_id)
    const entries = trips.map((trip_id, index) => ({
      trip_id,
      driver_ids: [drivers[index + 1]],
      car_id: cars[index + 1]
    }))
    await post("/dispatch/assignments", entries)
    const { trips: moved } = await post<{ readonly trips: ReadonlyArray<Trip> }>("/dispatch/groups", {
      group_id: "Wedding",
      move_minutes: 60
    })
    assert.deepStrictEqual<unknown>(
      moved.map(({ car_id, driver_ids, trip_date, warnings }) => [trip_date, car_id, driver_ids, warnings]),
      entries.map(({ car_id, driver_ids }) => [at("19:00"), car_id, driver_ids, []])
    )
    const spare = await get<ReadonlyArray<{ driver_id: number; car: { free: boolean } | null }>>(
      `/drivers/free?from=${at("19:00")}&to=${at("20:00")}`
    )
    assert.deepStrictEqual(
      spare.map(({ car, driver_id }) => [driver_id, car?.free]),
      [[drivers[7], true]]
    )
  })

  it("lets a driver wait for a late flight, after a confirmation where the next trip suffers", async () => {
    const driver = drivers[7] ?? 0
    const flight = await book("06:00", { flight_number: "LX 318", trip_type: "airport_arrival" })
    const next = await book("07:30")
    for (const { trip_id } of [flight, next])
      await post(`/trips/${trip_id}/drivers`, { driver_ids: [driver] })
    const path = `/trips/${flight.trip_id}`
    const late = { trip_date: at("07:00") }
    const asked = await account.client.patch(path, late)
    assert.strictEqual(asked.body.error?.type, "confirmation_required", asked.text)
    const delayed = await patch<Trip>(path, { ...late, force: true })
    assert.deepStrictEqual<unknown>(delayed.warnings, [
      { type: "schedule_clash", driver_id: driver, trip_id: next.trip_id },
      { type: "car_clash", car_id: cars[7], trip_id: next.trip_id }
    ])
    await post(`/trips/${next.trip_id}/drivers`, { driver_ids: [drivers[6]] })
    const board = await get<ReadonlyArray<Trip>>(`/dispatch/trips?date=${day}&flight_number=lx318`)
    assert.deepStrictEqual(
      board.map(({ trip_id, warnings }) => [trip_id, warnings]),
      [[flight.trip_id, []]]
    )
  })

  it("reopens a trip that was completed by mistake, and assigns its driver again", async () => {
    const { trip_id } = await book("21:30")
    const driver_ids = [drivers[2] ?? 0]
    await post(`/trips/${trip_id}/drivers`, { driver_ids })
    assert.strictEqual((await patch<Trip>(`/trips/${trip_id}`, { status: "completed" })).status, "completed")
    const reopened = await post<Trip>(`/trips/${trip_id}/reopen`, { reason: "Wrong trip" })
    assert.deepStrictEqual([reopened.status, reopened.driver_ids], ["confirmed", []])
    await post(`/trips/${trip_id}/drivers`, { driver_ids })
    assert.deepStrictEqual((await read(trip_id)).driver_ids, driver_ids)
  })

  it("lists work that crosses midnight on both days, and never a driver under way as free", async () => {
    const { trip_id } = await book("23:30", { duration_minutes: 120 })
    await post(`/trips/${trip_id}/drivers`, { driver_ids: [drivers[3]] })
    for (const date of [day, "2031-05-04"]) {
      const board = await get<ReadonlyArray<Trip>>(`/dispatch/trips?date=${date}&per_page=100`)
      assert.include(
        board.map((trip) => trip.trip_id),
        trip_id,
        date
      )
    }
    const free = await get<ReadonlyArray<{ driver_id: number }>>(
      "/drivers/free?from=2031-05-04T00:30:00Z&to=2031-05-04T01:00:00Z"
    )
    assert.notInclude(
      free.map(({ driver_id }) => driver_id),
      drivers[3]
    )
    const early = await post<Trip>("/trips", {
      trip_date: "2031-05-04T01:00:00Z",
      pickup_address: "Bar",
      dropoff_address: "Hotel",
      customer_name: "Night owl"
    })
    const asked = await account.client.post(`/trips/${early.trip_id}/drivers`, { driver_ids: [drivers[3]] })
    assert.strictEqual(asked.body.error?.type, "confirmation_required", asked.text)
  })
})
