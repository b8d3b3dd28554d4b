import { assert, describe, it } from "@effect/vitest"
import { CustomerId, DriverId, isViewOf } from "@livery/domain"

const ada = {
  customer_ids: [CustomerId.make(12)],
  driver_ids: [DriverId.make(3)],
  names: ["Ada Lovelace"],
  emails: ["ada@example.com"],
  phones: ["+41446681800"],
  country: "CH"
}
const isAdas = (query: string, name = "A view") => isViewOf({ name, query }, ada)

describe("a saved view", () => {
  it("names a person by an id, a name, an email or a phone number in its filters or its name", () => {
    for (const query of [
      "status=confirmed&customer_id=12",
      "driver_id=3",
      "q=Ada+Lovelace",
      "q=ada%20lovelace%20airport",
      "q=ada%40example.com",
      "q=044%20668%2018%2000"
    ])
      assert.isTrue(isAdas(query), query)
    assert.isTrue(isAdas("status=confirmed", "Ada Lovelace's rides"))
  })

  it("names no other person", () => {
    for (const query of [
      "",
      "customer_id=3&driver_id=12",
      "customer_id=120",
      "q=Ada",
      "q=joada%40example.com",
      "q=100%",
      "q"
    ])
      assert.isFalse(isAdas(query), query)
  })
})
