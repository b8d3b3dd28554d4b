import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { dispatch } from "./Dispatch.ts"

/** Trip 1, with the drivers 11 and 12, the car 4 and a customer, on the ports in memory. */
export const bookedTrip = Effect.gen(function* () {
  yield* TestClock.setTime(Date.parse("2026-11-20T08:00:00Z"))
  const memory = yield* dispatch
  memory.addDrivers(1, 11, 12)
  memory.addCar(1, 4)
  memory.addCustomer(1, 7, "ada@example.com")
  yield* memory.create({ total_amount: 129.5, car_id: 4 })
  yield* memory.assign(1, [11, 12])
  memory.newEvents()
  return memory
})
