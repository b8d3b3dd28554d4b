import { assert, describe, it } from "@effect/vitest"
import { type ModuleOrder, orderFault } from "../scripts/ModuleOrder.ts"

const order: ModuleOrder = [["kernel"], ["identity", "trips"], ["fleet"]]

describe("the order of modules", () => {
  it("lets a module import its own files and the levels below it", () => {
    for (const imported of ["fleet/Driver.ts", "trips/Trip.ts", "kernel/Money.ts"])
      assert.isUndefined(orderFault(order, "fleet/Car.ts", imported))
  })

  it("refuses an import of a level above", () => {
    assert.match(orderFault(order, "kernel/Money.ts", "trips/Trip.ts") ?? "", /kernel may not import trips/u)
    assert.match(orderFault(order, "trips/Trip.ts", "fleet/Car.ts") ?? "", /trips may not import fleet/u)
  })

  it("refuses an import of the same level", () => {
    assert.match(
      orderFault(order, "trips/Trip.ts", "identity/User.ts") ?? "",
      /trips may not import identity/u
    )
  })

  it("refuses a module that has no place in it", () => {
    assert.match(orderFault(order, "sales/Quote.ts", "kernel/Money.ts") ?? "", /sales has no place/u)
    assert.match(orderFault(order, "kernel/Money.ts", "sales/Quote.ts") ?? "", /sales has no place/u)
  })

  it("puts the files outside of any module above all modules", () => {
    assert.isUndefined(orderFault(order, "index.ts", "fleet/Car.ts"))
    assert.match(orderFault(order, "fleet/Car.ts", "index.ts") ?? "", /stands above/u)
  })
})
