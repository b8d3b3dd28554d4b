/** A request of the script that measures the routes beyond the lists. */

/** What the script knows: ids of the business, of the round, and of the records that earlier steps have made. */
export type Known = Readonly<Record<string, unknown>>

/** The caller of a step: an API key, the person who is an owner and a driver, the super-admin, or a request without a credential. */
export type Caller = "business" | "person" | "admin" | "nobody"

/** A request. */
export interface Step {
  /** The method and the path, in which `{name}` stands for a known value; after a comma and a space, a remark. */
  readonly name: string
  readonly by: Caller
  readonly body?: (known: Known) => unknown
  readonly headers?: (known: Known) => Readonly<Record<string, string>>
  /** The statuses that the response may have. */
  readonly statuses: ReadonlyArray<number>
  /** Whether the step is sent only in the last round, because it takes seconds in a large business. */
  readonly isLong: boolean
  /** The values of the response's `data` to know from then on, by name: `drivers.0.driver_token` is a path. */
  readonly keep: Readonly<Record<string, string>>
}

/** What a step may leave out: it is then a business's, has no body, is a success and keeps nothing. */
type Options = Partial<Omit<Step, "name" | "statuses">> & { readonly status?: number | ReadonlyArray<number> }

/** Makes a step. */
export const step = (name: string, { status = [200, 201], ...options }: Options = {}): Step => ({
  name,
  by: "business",
  keep: {},
  isLong: false,
  statuses: [status].flat(),
  ...options
})

/** Makes a step of another caller. */
export const stepBy =
  (by: Caller) =>
  (name: string, options: Options = {}): Step =>
    step(name, { by, ...options })

/** A day from now on, `YYYY-MM-DD`. */
export const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** A time on a day of which a large business has 137 trips. */
export const busyTime = `${day(20)}T10:00:00Z`

/** A time on a later day than the trips of all businesses. */
export const quietTime = (offset: number) => `${day(900 + offset)}T10:00:00Z`

/** The fields of a trip with places. */
export const ride = {
  trip_date: busyTime,
  pickup_address: "1 Station Square, 8001 Zurich",
  pickup_lat: 47.38,
  pickup_lng: 8.54,
  dropoff_address: "Airport, Terminal 2, departures",
  dropoff_lat: 47.45,
  dropoff_lng: 8.56,
  customer_name: "Ann Guest",
  vehicle_class: "sedan",
  distance_m: 11_000,
  total_amount: 129,
  currency: "CHF"
}

/** So many items of an array. */
export const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))
