/**
 * The lines of a table are stored in sets. What becomes of them equals what the routes make of the same lines one by one: the records,
 * their timelines, their events, and which lines are refused.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Rows } from "../support/Rows.ts"
import { Ports } from "../support/TestPorts.ts"
import { record, records } from "../support/TestServer.ts"
import { given } from "./Importing.ts"

type Fields = Readonly<Record<string, unknown>>

/** Random numbers below 1, the same for the same seed. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Fields whose values two businesses cannot share. */
const ofBusiness = /(?:_id|_ids|_at|_hash|_url|_token)$|^(?:reference|id|pickup_local)$/u

/** A record without the fields that differ between two businesses. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === "pickup_at" || !ofBusiness.test(name)) return [[name, comparable(inner)]]
      return [[name, inner === null ? null : "set"]]
    })
  )
}

const textIn = (value: unknown) => (typeof value === "string" || typeof value === "number" ? `${value}` : "")

const csvOf = (lines: ReadonlyArray<Fields>) => {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))]
  return [names, ...lines.map((line) => names.map((name) => textIn(line[name])))]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\n")
}

const business = Effect.gen(function* () {
  const one = yield* given
  const { send } = one
  yield* send("PATCH", "/settings/business", { timezone: "Europe/Zurich", currency: "CHF" })
  const events = Effect.map(
    Rows.use((rows) => rows.eventsOf(one.businessId)),
    (sent) => sent.map((event) => JSON.stringify(comparable(event)))
  )
  const everyRecord = (path: string) =>
    Effect.gen(function* () {
      const found: Array<Fields> = []
      for (let page = 1; ; page += 1) {
        const some = yield* Effect.map(send("GET", `${path}?per_page=100&page=${page}`), records)
        found.push(...some)
        if (some.length < 100) return found
      }
    })
  return { ...one, events, everyRecord }
})

/** Imports the lines in one business, posts them in another, and compares which are refused and what both businesses have then. */
const compared = Effect.fnUntraced(function* (
  kind: string,
  lines: ReadonlyArray<Fields>,
  posted: (
    send: Effect.Success<typeof business>["send"],
    line: Fields
  ) => ReturnType<Effect.Success<typeof business>["send"]>,
  prepare: (send: Effect.Success<typeof business>["send"]) => Effect.Effect<unknown, unknown> = () =>
    Effect.void
) {
  const [inSets, oneByOne] = [yield* business, yield* business]
  for (const { send } of [inSets, oneByOne]) yield* Effect.orDie(prepare(send))
  const made = yield* inSets.run(kind, csvOf(lines))
  const refused: Array<number> = []
  for (const [at, line] of lines.entries())
    if ((yield* posted(oneByOne.send, line)).status !== 201) refused.push(at + 2)
  const outcomes = yield* inSets.lines(made, "?status=refused&per_page=100")
  assert.deepStrictEqual(
    outcomes.map(({ line }) => line),
    refused,
    JSON.stringify(outcomes.map(({ reasons }) => reasons))
  )
  assert.isAtLeast(refused.length, 1)
  assert.strictEqual(made["made"], lines.length - refused.length)
  const texts = (records: ReadonlyArray<Fields>) => records.map((one) => JSON.stringify(comparable(one)))
  const [some, others] = [yield* inSets.everyRecord(`/${kind}`), yield* oneByOne.everyRecord(`/${kind}`)]
  assert.sameMembers(texts(some), texts(others))
  assert.sameMembers([...(yield* inSets.events)], [...(yield* oneByOne.events)])
  return { inSets, oneByOne, some, others }
})

layer(Ports)("a table that is imported in sets equals the same lines through the routes", (it) => {
  it.effect.each([1, 2])("trips, some of which have ended, with their timelines (seed %i)", (seed) =>
    Effect.gen(function* () {
      const random = randomOf(seed)
      const oneOf = <A>(...all: ReadonlyArray<A>) => all[Math.floor(random() * all.length)]
      const lines = Array.from({ length: 60 }, (_, at) => ({
        ...(random() < 0.7 ? { external_ref: `T-${at}` } : {}),
        trip_date: `${oneOf("2025", "2031")}-0${1 + (at % 9)}-1${at % 10}T1${at % 10}:${10 + (at % 50)}`,
        pickup_address: `Station ${at}`,
        dropoff_address: oneOf("Hotel", "Airport"),
        customer_name: oneOf("Ada", "Grace", "Jo"),
        ...(random() < 0.5 ? { customer_email: oneOf("ada@example.com", "jo@example.com", "wrong") } : {}),
        ...(random() < 0.5 ? { total_amount: oneOf("129.5", "80", "12.3456") } : {}),
        ...(random() < 0.5 ? { participants_count: oneOf("2", "4", "-1") } : {}),
        ...(random() < 0.3 ? { notes: oneOf("Sign, at the gate", '"quoted"', "naïve ☕") } : {}),
        ...(random() < 0.4 ? { status: oneOf("completed", "cancelled", "confirmed") } : {})
      }))
      const { inSets, oneByOne, others, some } = yield* compared(
        "trips",
        lines,
        (send, { status, ...line }) =>
          Effect.gen(function* () {
            const numbers = Object.fromEntries(
              ["total_amount", "participants_count"].flatMap((name) =>
                name in line ? [[name, Number((line as Fields)[name])]] : []
              )
            )
            const answer = yield* send("POST", "/trips", { ...line, ...numbers, force: true })
            const isPast = String((line as Fields)["trip_date"]).startsWith("2025")
            const end = status === "confirmed" ? undefined : (status ?? (isPast ? "completed" : undefined))
            if (answer.status === 201 && end !== undefined)
              yield* send("PATCH", `/trips/${String(record(answer)["trip_id"])}`, {
                status: end,
                force: true
              })
            return answer
          }),
        (send) => send("POST", "/customers", { name: "Countess", email: "ada@example.com" })
      )
      const timelines = (one: typeof inSets, trips: ReadonlyArray<Fields>) =>
        Effect.forEach(trips, (trip) =>
          Effect.map(one.send("GET", `/trips/${String(trip["trip_id"])}/timeline`), (answer) => ({
            pickup: String(trip["pickup_address"]),
            entries: records(answer).map(({ after, before, change }) => comparable({ after, before, change }))
          }))
        )
      assert.sameDeepMembers([...(yield* timelines(inSets, some))], [...(yield* timelines(oneByOne, others))])
    })
  )

  it.effect("customers, drivers and cars", () =>
    Effect.gen(function* () {
      const random = randomOf(3)
      const oneOf = <A>(...all: ReadonlyArray<A>) => all[Math.floor(random() * all.length)]
      const people = Array.from({ length: 40 }, (_, at) => ({
        external_ref: `K-${at}`,
        name: `Ada ${at}`,
        ...(random() < 0.5 ? { email: oneOf(`ada${at}@example.com`, "wrong") } : {}),
        ...(random() < 0.3 ? { phone: `+41 44 668 18 ${10 + at}` } : {})
      }))
      yield* compared("customers", people, (send, line) => send("POST", "/customers", line))
      yield* compared("drivers", people, (send, line) => send("POST", "/drivers", line))
      const cars = people.map(({ external_ref, name }, at) => ({
        external_ref,
        name,
        plate_number: `ZH ${at}`,
        seats: oneOf("4", "7", "many")
      }))
      yield* compared("cars", cars, (send, line) =>
        send("POST", "/cars", { ...line, seats: line["seats"] === "many" ? "many" : Number(line["seats"]) })
      )
    })
  )
})
