/**
 * How long an estimate of all classes takes under a tariff of 500 rules, and what compiling the tariff once saves:
 *
 *     npx node --conditions=@livery/source bench/fares.ts [rounds]
 *
 * Three kinds of trip take turns: between two zones, by distance, and by the hour. The figures are processor time.
 */
import { compileTariff, estimateFares, type FareInputs, type Place, Tariff } from "@livery/domain"
import { Result, Schema } from "effect"

const rounds = Number(process.argv[2] ?? 15)
const estimatesARound = 2000

const classes = ["sedan", "suv", "van", "minibus", "bus", "limousine", "other"] as const

/** 100 zones on a grid around Zurich: airports, circles, polygons of 24 corners and postal codes. */
const zones = Array.from({ length: 100 }, (_, index) => {
  const [lat, lng] = [46.5 + Math.floor(index / 10) * 0.1, 7.5 + (index % 10) * 0.15]
  const common = { id: `z${index}`, name: `Zone ${index}` }
  if (index % 25 === 0) return { ...common, kind: "airport", lat, lng, radius_m: 3000 }
  if (index % 4 === 1) return { ...common, kind: "circle", lat, lng, radius_m: 6000 }
  if (index % 4 === 2) return { ...common, kind: "postal", prefixes: [String(8000 + index), `90${index}`] }
  const points = Array.from({ length: 24 }, (_, corner) => ({
    lat: lat + 0.06 * Math.sin((corner * Math.PI) / 12),
    lng: lng + 0.08 * Math.cos((corner * Math.PI) / 12)
  }))
  return { ...common, kind: "polygon", points }
})

const night = [{ from: "22:00", to: "06:00" }]
const holidays = [{ dates: [{ from: "12-24", to: "01-02" }, { from: "08-01" }] }, { weekdays: ["sun"] }]

/** 60 fixed prices, 4 by distance, 2 by hours and 1 by days for each of 7 classes, and 31 modifiers: 500 rules. */
const sent = {
  name: "Bench",
  currency: "CHF",
  zones,
  classes: classes.map((vehicle_class, of) => ({
    vehicle_class,
    fixed: Array.from({ length: 60 }, (_, index) => ({
      from: `z${(index * 7) % 100}`,
      to: `z${(index * 13 + 5) % 100}`,
      amount: 80 + of * 20 + index
    })),
    distance: Array.from({ length: 4 }, (_, index) => ({
      when: index < 3 ? [{ ...night[0], weekdays: [["mon", "tue", "wed"][index] ?? "thu"] }] : [],
      base: 12 + of,
      tiers: [{ up_to: 10, amount: 4.2 }, { up_to: 50, amount: 3.1 }, { amount: 2.4 }],
      per_minute: 0.6
    })),
    hours: [
      { when: night, per_hour: 120 },
      {
        per_hour: 95,
        distance_per_hour: 20,
        extra_distance: 2,
        packages: [
          { minutes: 240, amount: 360, distance: 80 },
          { minutes: 480, amount: 700, distance: 160 }
        ]
      }
    ],
    days: [{ amount: 900, hours: 10, distance: 250, extra_hour: 90, extra_distance: 2.5 }]
  })),
  modifiers: {
    night: [{ when: night, percent: 20 }],
    dates: Array.from({ length: 5 }, () => ({ when: holidays, percent: 25 })),
    airport: Array.from({ length: 4 }, (_, index) => ({ zone: `z${index * 25}`, pickup: 9, dropoff: 3 })),
    meet_and_greet: [{ amount: 25 }],
    stops: [{ amount: 15, free_minutes: 5, per_minute: 1 }],
    child_seats: [{ types: ["infant"], amounts: [20] }, { amounts: [0, 10] }],
    passengers: [
      { from: 5, to: 6, amount: 20 },
      { from: 7, percent: 15 }
    ],
    luggage: [{ beyond: 4, amount: 5 }],
    waiting: [
      { arrivals: ["flight"], free_minutes: 60, amount: 25, per_minutes: 15 },
      { free_minutes: 15, amount: 25, per_minutes: 15 }
    ],
    tolls: Array.from({ length: 6 }, (_, index) => ({ from: `z${index}`, amount: 8 })),
    gratuity: [{ percent: 10 }],
    late_cancellation: [
      {
        steps: [
          { within_minutes: 1440, percent: 50 },
          { within_minutes: 120, percent: 100 }
        ]
      }
    ],
    no_show: [{ percent: 100 }],
    minimum: [{ amount: 45 }],
    rounding: { to: 0.05 },
    tax: { included: true, rates: [{ percent: 8.1 }] }
  }
}

const nowhere: Place = { postal_code: null, lat: null, lng: null, airport: null }

const trip = (known: Partial<FareInputs>): FareInputs => ({
  pickup_local: "2026-12-25 23:15:00",
  trip_type: "transfer",
  arrival: "flight",
  pickup: { ...nowhere, lat: 46.5, lng: 7.5, postal_code: "8001" },
  dropoff: { ...nowhere, lat: 46.98, lng: 8.2, postal_code: "9012" },
  stop_minutes: [10, 0],
  distance_m: 63_400,
  duration_minutes: 58,
  route_source: "road",
  passengers: 5,
  luggage: 6,
  child_seats: [
    { type: "infant", count: 1 },
    { type: "booster", count: 2 }
  ],
  meet_and_greet: true,
  waiting_minutes: 75,
  tolls_minor: 850,
  outcome: "ride",
  notice: null,
  ...known
})

const between = { pickup: { ...nowhere, lat: 46.5, lng: 7.5 }, dropoff: { ...nowhere, lat: 46.5, lng: 8.25 } }
const trips = {
  "between two zones": trip(between),
  "by distance": trip({}),
  "by the hour": trip({ trip_type: "hourly", duration_minutes: 430 })
}

const tariff = Schema.decodeSync(Tariff)(sent)
const rules = (of: object): number =>
  Object.values(of).reduce((sum: number, list: unknown) => sum + (Array.isArray(list) ? list.length : 0), 0)
const { modifiers } = tariff
const counted = tariff.classes.reduce(
  (sum, rates) => sum + rules(rates),
  modifiers === null ? 0 : rules(modifiers) + 2
)

/** Microseconds of processor time that one call takes, from many of them. */
const cost = (calls: number, call: () => unknown) => {
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count++) call()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / calls
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const compiled = Result.getOrThrow(compileTariff(tariff, 1))
const measured = new Map<string, Array<number>>()
const note = (name: string, microseconds: number) =>
  measured.set(name, [...(measured.get(name) ?? []), microseconds])

for (let round = 0; round < rounds; round++) {
  for (const [name, inputs] of Object.entries(trips))
    note(
      `estimate ${name}`,
      cost(estimatesARound, () => estimateFares(compiled, inputs))
    )
  note(
    "compile the tariff",
    cost(50, () => compileTariff(tariff, 1))
  )
}

process.stdout.write(`${counted} rules, ${zones.length} zones, ${classes.length} classes\n`)
for (const [name, inputs] of Object.entries(trips)) {
  const { fares } = estimateFares(compiled, inputs)
  const lines = fares.reduce((sum, fare) => sum + fare.lines.length, 0)
  process.stdout.write(`${name}: ${fares.length} fares, ${lines} lines\n`)
}
for (const [name, values] of measured)
  process.stdout.write(
    `${name}: median ${median(values).toFixed(1)} us, worst round ${Math.max(...values).toFixed(1)} us\n`
  )
