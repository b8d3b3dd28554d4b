import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import PostalMime from "postal-mime"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "./support/Client.ts"
import { type Emulated, emulated } from "./support/Emulated.ts"
import { type Installation, installation } from "./support/Installation.ts"

const minute = 60_000

interface Trip {
  readonly trip_id: number
  readonly reference: string
  readonly trip_date: string
  readonly flight_status: { readonly pickup: string; readonly estimated: string } | null
}

interface Job {
  readonly trip_id: number
  readonly warnings: ReadonlyArray<{ readonly type: string; readonly trip_id?: number }>
}

describe("a flight that is 40 minutes late", () => {
  let place: Installation
  let flights: Emulated
  let gateway: Emulated
  const asked: Array<string> = []
  const texts: Array<{ readonly to: string; readonly text: string }> = []
  /** When the flight is scheduled to land: whole minutes, as of a timetable. */
  const scheduled = Math.ceil(Date.now() / minute) * minute + 50 * minute

  beforeAll(async () => {
    flights = await emulated((path) => {
      asked.push(path)
      return [
        {
          status: "En Route",
          sta: new Date(scheduled).toISOString(),
          eta: new Date(scheduled + 40 * minute).toISOString()
        }
      ]
    })
    gateway = await emulated((_path, body) => {
      texts.push(JSON.parse(body) as (typeof texts)[number])
      return { id: `text-${texts.length}` }
    })
    place = await installation({
      embedded: "copied",
      settings: {
        FLIGHTS_URL: `${flights.url}/{flight}/{date}`,
        FLIGHTS_FIELDS: '{"scheduled":"sta","estimated":"eta","state":"status"}'
      }
    })
  }, 120_000)

  afterAll(async () => {
    await place.remove()
    flights.close()
    gateway.close()
  })

  const given = async <A>(answer: Promise<Awaited<ReturnType<Client["get"]>>>): Promise<A> => {
    const { body, status, text } = await answer
    assert.isBelow(status, 300, text)
    return body.data as A
  }

  /** The subjects of the mails to an address. */
  const mailsTo = async (address: string) => {
    const directory = join(place.directory, "mail")
    const names = (await readdir(directory)).filter((name) => name.endsWith(".eml"))
    const mails = await Promise.all(
      names.map(async (name) => PostalMime.parse(await readFile(join(directory, name))))
    )
    return mails
      .filter(({ to }) => to?.some((one) => one.address === address) === true)
      .map(({ subject }) => subject ?? "")
  }

  it("moves the pickup within the limits, tells the passenger and the driver once each, and shows the clash", async () => {
    const first = await place.serve()
    const api = clientOf(first.api, bearer(/lvk_\S+/u.exec(first.program.stdout())?.[0] ?? "none"))
    await given(
      api.post("/settings/text-gateway", {
        url: `${gateway.url}/messages`,
        method: "POST",
        headers: [],
        body: '{"to":"{{to}}","text":"{{text}}"}',
        body_type: "json",
        sender: "Livery",
        success: { path: "id", values: [] },
        reference_path: "id",
        callbacks: null
      })
    )
    await given(api.patch("/settings/notices", { channels: { changed: ["text"] }, quiet_minutes: 0 }))
    const driver = await given<{ driver_id: number }>(
      api.post("/drivers", { name: "Ada Moser", email: "ada@cars.example" })
    )
    const book = (pickup: number, more: object) =>
      given<Trip>(
        api.post("/trips", {
          trip_date: new Date(pickup).toISOString(),
          duration_minutes: 30,
          pickup_address: "Zurich Airport",
          dropoff_address: "Bellevue 1, Zurich",
          customer_name: "Zoë Keller",
          customer_phone: "+41 79 123 45 67",
          ...more
        })
      )
    const pickup = scheduled + 20 * minute
    const arrival = await book(pickup, { flight_number: "LX 8" })
    const next = await book(pickup + 50 * minute, { customer_name: "Ben" })
    const ids = [arrival.trip_id, next.trip_id]
    for (const id of ids)
      await given(api.post(`/trips/${id}/drivers`, { driver_ids: [driver.driver_id], force: true }))
    const board = async () =>
      new Map((await given<ReadonlyArray<Job>>(api.get("/dispatch/trips"))).map((job) => [job.trip_id, job]))
    const today = await board()
    assert.notInclude(
      ids.flatMap((id) => today.get(id)?.warnings.map(({ type }) => type) ?? []),
      "schedule_clash"
    )
    await vi.waitFor(
      async () =>
        assert.lengthOf(
          (await mailsTo("ada@cars.example")).filter((it) => it.startsWith("New trip")),
          2
        ),
      { timeout: 30_000, interval: 200 }
    )
    assert.deepStrictEqual(asked, [])

    await given(api.patch("/settings/flights", { enabled: true, check_minutes: 1, max_later_minutes: 60 }))
    const read = () => given<Trip>(api.get(`/trips/${arrival.trip_id}`))
    // The worker looks once a minute.
    const moved = await vi.waitFor(
      async () => {
        const trip = await read()
        assert.isNotNull(trip.flight_status)
        return trip
      },
      { timeout: 90_000, interval: 500 }
    )
    assert.strictEqual(Date.parse(moved.trip_date), pickup + 40 * minute)
    assert.deepInclude(moved.flight_status, { pickup: "moved" })
    assert.match(asked[0] ?? "", /^\/LX8\/\d{4}-\d\d-\d\d$/u)
    assert.deepInclude((await board()).get(next.trip_id)?.warnings[0], {
      type: "schedule_clash",
      trip_id: arrival.trip_id
    })

    const changed = async () =>
      (await mailsTo("ada@cars.example")).filter((subject) =>
        subject.includes(`${arrival.reference} has changed`)
      )
    await vi.waitFor(
      async () => {
        assert.lengthOf(texts, 1)
        assert.lengthOf(await changed(), 1)
      },
      { timeout: 30_000, interval: 200 }
    )
    assert.strictEqual(texts[0]?.to, "+41791234567")
    assert.include(texts[0]?.text, "has changed")
    // The next look at the flight learns nothing new.
    const looks = asked.length
    await vi.waitUntil(() => asked.length > looks, { timeout: 90_000, interval: 500 })
    await new Promise((resolve) => {
      setTimeout(resolve, 7000)
    })
    assert.deepStrictEqual([texts.length, (await changed()).length], [1, 1])
    const told = await given<ReadonlyArray<{ kind: string; status: string }>>(
      api.get(`/trips/${arrival.trip_id}/notices`)
    )
    assert.sameMembers(
      told.map(({ kind, status }) => `${kind} ${status}`),
      ["driver_new sent", "changed sent", "driver_changed sent"]
    )
    assert.strictEqual((await read()).trip_date, moved.trip_date)
  }, 300_000)
})
