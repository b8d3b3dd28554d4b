/** A dispatcher's day: drivers with cars, and jobs at all hours, some without a driver. */

/** How records are created: the data of the response, or an exception. */
export type Create = <A>(path: string, body: unknown) => Promise<A>

/** What a day has. */
export interface DaySize {
  readonly drivers: number
  readonly jobs: number
  /** The day on the business's clock: `2026-12-24`. */
  readonly date: string
  /** Jobs that get no driver: every so many. */
  readonly openEvery?: number
}

const first = [
  "Ada",
  "Bruno",
  "Carla",
  "Dario",
  "Elena",
  "Felix",
  "Greta",
  "Hugo",
  "Ines",
  "Jonas",
  "Klara",
  "Luca"
]
const last = ["Amsler", "Brunner", "Conrad", "Dietrich", "Egger"]

const places = [
  ["Zürich Airport, Terminal 1", 47.4503, 8.5616],
  ["Grand Hotel, Lakeside Road 1", 47.3667, 8.545],
  ["Main Station, Bahnhofplatz", 47.3779, 8.5403],
  ["Conference Centre", 47.3663, 8.5366],
  ["Opera House", 47.3652, 8.5467],
  ["Private clinic, Hillside 12", 47.3521, 8.5756]
] as const

const classes = ["sedan", "suv", "van"] as const

const two = (value: number) => String(value).padStart(2, "0")

/** Creates the day. Returns the ids of the drivers and of the jobs, in order. */
export const createDay = async (
  create: Create,
  { date, drivers, jobs, openEvery = 16 }: DaySize
): Promise<{ readonly drivers: ReadonlyArray<number>; readonly trips: ReadonlyArray<number> }> => {
  const driverIds: Array<number> = []
  const inOrder = Array.from({ length: drivers }, (_, index) => index)
  for (const index of inOrder) {
    const { car_id } = await create<{ car_id: number }>("/cars", {
      name: `Car ${index + 1}`,
      plate_number: `ZH ${1000 + index}`,
      vehicle_class: classes[index % classes.length],
      seats: 3 + (index % 3) * 2
    })
    const name = `${first[index % first.length]} ${last[Math.floor(index / first.length) % last.length]}`
    const { driver_id } = await create<{ driver_id: number }>("/drivers", {
      name,
      phone: `+4179${String(1_000_000 + index)}`,
      default_car_id: car_id,
      confirm_seat: true
    })
    driverIds.push(driver_id)
  }
  const tripIds: Array<number> = []
  const rounds = Math.ceil(jobs / drivers)
  for (const index of Array.from({ length: jobs }, (_, at) => at)) {
    const round = Math.floor(index / drivers)
    const minutes = 60 + Math.floor((round / rounds) * 1320) + (index % drivers) * 2
    const from = places[index % places.length] ?? places[0]
    const to = places[(index + 1 + round) % places.length] ?? places[1]
    const { trip_id } = await create<{ trip_id: number }>("/trips", {
      trip_date: `${date}T${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}:00`,
      duration_minutes: 45 + (index % 4) * 15,
      pickup_address: from[0],
      pickup_lat: from[1],
      pickup_lng: from[2],
      dropoff_address: to[0],
      dropoff_lat: to[1],
      dropoff_lng: to[2],
      customer_name: `Guest ${index + 1}`,
      participants_count: 1 + (index % 3),
      ...(index % 7 === 0 && { flight_number: `LX${100 + index}` })
    })
    tripIds.push(trip_id)
  }
  const entries = tripIds.flatMap((trip_id, index) =>
    index % openEvery === openEvery - 1 ? [] : [{ trip_id, driver_ids: [driverIds[index % drivers]] }]
  )
  for (let at = 0; at < entries.length; at += 200)
    await create("/dispatch/assignments", entries.slice(at, at + 200))
  return { drivers: driverIds, trips: tripIds }
}
