/** The contract of `PersonalData.fileNames`. */
import { PersonalData, UploadRepository, type BusinessId, type NewTrip } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { contract } from "./Contract.ts"
import { newBusiness, newCustomer, newTrip, now } from "./Given.ts"

let files = 0

/** Stores an upload of a business, and returns the name of its file. */
const newFile = Effect.fnUntraced(function* (business_id: BusinessId) {
  const uploads = yield* UploadRepository
  files += 1
  const file_name = `${String(files).padStart(40, "0")}_${business_id}`
  yield* uploads.insert({ business_id, file_name, content_type: "image/png", size: 12, created_at: now })
  return file_name
})

const noted = (fileName: string) => ({ notes: `https://livery.example/uploads/${fileName}` })

export const personalFiles = contract("the files of a person", (it) => {
  it.effect("are those that no trip of another customer and no record of another customer names", () =>
    Effect.gen(function* () {
      const personal = yield* PersonalData
      const business = yield* newBusiness
      const [own, ofTrip, ofCustomer, absent] = [
        yield* newFile(business),
        yield* newFile(business),
        yield* newFile(business),
        `${"f".repeat(40)}_${business}`
      ]
      const customer = yield* newCustomer(business, noted(own))
      const trip = (change: Partial<NewTrip>) => newTrip(business, change)
      for (const name of [own, ofTrip, ofCustomer, absent])
        yield* trip({ customer_id: customer, ...noted(name) })
      const fileNames = Effect.gen(function* () {
        const person = Option.getOrThrow(yield* personal.ofCustomer(business, customer))
        return yield* personal.fileNames(person)
      })
      assert.deepStrictEqual(yield* fileNames, [own, ofTrip, ofCustomer].toSorted())
      yield* trip({ customer_id: null, ...noted(ofTrip) })
      yield* newCustomer(business, noted(ofCustomer))
      assert.deepStrictEqual(yield* fileNames, [own])
    })
  )
})
