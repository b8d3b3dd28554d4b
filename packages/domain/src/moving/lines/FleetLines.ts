/** Storing lines of drivers and cars. A business has few of them, so that all are read once for a batch. */
import { Effect } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { CarChanges, CarInput } from "../../fleet/cars/Car.ts"
import { Cars } from "../../fleet/cars/Cars.ts"
import { DriverChanges, DriverInput } from "../../fleet/drivers/Driver.ts"
import { Drivers } from "../../fleet/Drivers.ts"
import { canonicalPhone, countryOfZone } from "../../kernel/fields/PhoneNumber.ts"
import { CarId, DriverId } from "../../kernel/Ids.ts"
import type { Page, PageRequest } from "../../kernel/Page.ts"
import { Transaction } from "../../kernel/Transaction.ts"
import { decoderOf, differences, eachLine, type Line, nameIn, type Stored, without } from "./Line.ts"

/** The records of all pages of a list. */
export const allOf = Effect.fnUntraced(function* <A, E>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E>
): Effect.fn.Return<Array<A>, E> {
  const all: Array<A> = []
  for (let page = 1; ; page += 1) {
    const { hasMore, items } = yield* list({ page, perPage: 100 })
    all.push(...items)
    if (!hasMore) return all
  }
})

const decodeCar = decoderOf(CarInput)
const decodeCarChanges = decoderOf(CarChanges)
const decodeDriver = decoderOf(DriverInput)
const decodeDriverChanges = decoderOf(DriverChanges)

/** A number plate without its spaces and signs. */
export const plateKey = (plate: string) => plate.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

const storedAs = (status: Stored["status"], record_id: number): Stored => ({ status, record_id })

/** Builds the function that stores lines of cars: found by the `external_ref`, the number plate, or else the name. */
export const makeCarLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const cars = yield* Cars
  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const all = yield* allOf((page) => cars.list(acting, {}, page))
    return yield* eachLine(transaction, lines, (values) =>
      Effect.gen(function* () {
        const { external_ref, plate_number } = values
        const sent = { ...values, name: values["name"] ?? plate_number }
        const input = yield* Effect.fromResult(decodeCar(sent))
        const plate = input.plate_number === null ? null : plateKey(input.plate_number)
        const at = all.findIndex((one) =>
          external_ref !== undefined && one.external_ref !== null
            ? one.external_ref === input.external_ref
            : plate !== null && one.plate_number !== null
              ? plateKey(one.plate_number) === plate
              : one.name === input.name
        )
        const found = all[at]
        if (found === undefined) {
          const made = yield* cars.create(acting, input)
          all.push(made)
          return storedAs("made", made.car_id)
        }
        const changes = differences(found, values, (name, one, other) =>
          name === "plate_number" && typeof one === "string"
            ? plateKey(one) === plateKey(String(other))
            : false
        )
        if (Object.keys(changes).length === 0) return storedAs("matched", found.car_id)
        all[at] = yield* cars.update(
          acting,
          CarId.make(found.car_id),
          yield* Effect.fromResult(decodeCarChanges(changes))
        )
        return storedAs("changed", found.car_id)
      })
    )
  })
})

/** Builds the function that stores lines of drivers: found by the `external_ref`, the email, the phone number, or else the name. */
export const makeDriverLines = Effect.gen(function* () {
  const transaction = yield* Transaction
  const drivers = yield* Drivers
  return Effect.fnUntraced(function* (acting: ActingBusiness, lines: ReadonlyArray<Line>) {
    const country = countryOfZone(acting.timezone)
    const phoneOf = (phone: string | null) => (phone === null ? undefined : canonicalPhone(phone, country))
    const all = yield* allOf((page) => drivers.list(acting, {}, page))
    return yield* eachLine(transaction, lines, (values) =>
      Effect.gen(function* () {
        const sent = { ...without(values, ["first_name", "last_name"]), name: nameIn(values) }
        const input = yield* Effect.fromResult(decodeDriver(sent))
        const phone = phoneOf(input.phone)
        const isFound = [
          (one: (typeof all)[number]) =>
            input.external_ref !== null && one.external_ref === input.external_ref,
          (one: (typeof all)[number]) => input.email !== null && one.email === input.email,
          (one: (typeof all)[number]) => phone !== undefined && phoneOf(one.phone) === phone,
          (one: (typeof all)[number]) =>
            input.external_ref === null &&
            input.email === null &&
            phone === undefined &&
            one.name === input.name
        ]
        const at = isFound.reduce((found, is) => (found >= 0 ? found : all.findIndex(is)), -1)
        const found = all[at]
        if (found === undefined) {
          const made = yield* drivers.create(acting, input)
          all.push(made)
          return storedAs("made", made.driver_id)
        }
        const wanted = Object.fromEntries(
          Object.entries(input).filter(([name, value]) => name in sent && value !== null)
        )
        const changes = differences(found, wanted, (name, one, other) =>
          name === "phone" && typeof one === "string" && typeof other === "string"
            ? phoneOf(one) === phoneOf(other)
            : false
        )
        if (Object.keys(changes).length === 0) return storedAs("matched", found.driver_id)
        const decoded = yield* Effect.fromResult(decodeDriverChanges(changes))
        all[at] = yield* drivers.update(acting, DriverId.make(found.driver_id), decoded)
        return storedAs("changed", found.driver_id)
      })
    )
  })
})
