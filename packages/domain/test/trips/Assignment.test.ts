import { assert, describe, it } from "@effect/vitest"
import { assignmentMachine, AssignmentStatus, derivedStatuses } from "@livery/domain"
import { Schema } from "effect"

/** Every pair of assignment statuses and the movers that may make the move (docs/state-machines.md). */
const pairs = [
  ["assigned", "assigned", []],
  ["assigned", "en_route", ["driver", "operator"]],
  ["assigned", "completed", ["operator"]],
  ["assigned", "cancelled", ["driver", "operator"]],
  ["en_route", "assigned", ["operator"]],
  ["en_route", "en_route", []],
  ["en_route", "completed", ["driver", "operator"]],
  ["en_route", "cancelled", ["driver", "operator"]],
  ["completed", "assigned", []],
  ["completed", "en_route", []],
  ["completed", "completed", []],
  ["completed", "cancelled", []],
  ["cancelled", "assigned", []],
  ["cancelled", "en_route", []],
  ["cancelled", "completed", []],
  ["cancelled", "cancelled", []]
] as const satisfies ReadonlyArray<readonly [AssignmentStatus, AssignmentStatus, ReadonlyArray<string>]>

const movers = ["customer", "driver", "operator", "payment", "system"] as const

describe("the assignment's table", () => {
  it("lists all 16 pairs", () => {
    assert.strictEqual(new Set(pairs.map(([from, to]) => `${from} ${to}`)).size, 16)
  })

  it.each(pairs)("%s to %s is permitted to %j only", (from, to, allowed) => {
    assert.deepStrictEqual(
      movers.filter((mover) => assignmentMachine.can(from, to, mover)),
      [...allowed]
    )
  })
})

const of = (...statuses: ReadonlyArray<AssignmentStatus>) => {
  const { driver_status, status } = derivedStatuses(statuses.map((status) => ({ status })))
  return [status, driver_status]
}

describe("the status of a trip by its assignments", () => {
  it.each([
    [[], ["confirmed", "unassigned"]],
    [["cancelled"], ["confirmed", "unassigned"]],
    [["assigned"], ["confirmed", "assigned"]],
    [
      ["assigned", "en_route"],
      ["in_progress", "en_route"]
    ],
    [["en_route"], ["in_progress", "en_route"]],
    [
      ["completed", "en_route"],
      ["in_progress", "en_route"]
    ],
    [
      ["completed", "assigned"],
      ["in_progress", "assigned"]
    ],
    [["completed"], ["completed", "completed"]],
    [
      ["completed", "cancelled"],
      ["completed", "completed"]
    ],
    [
      ["en_route", "cancelled"],
      ["in_progress", "en_route"]
    ]
  ] as const satisfies ReadonlyArray<readonly [ReadonlyArray<AssignmentStatus>, ReadonlyArray<string>]>)(
    "%j makes it %j",
    (statuses, made) => {
      assert.deepStrictEqual(of(...statuses), [...made])
    }
  )

  it.prop(
    "does not depend on their order or on cancelled ones",
    { statuses: Schema.Array(AssignmentStatus) },
    ({ statuses }) => {
      const made = of(...statuses)
      assert.deepStrictEqual(of(...statuses.toReversed()), made)
      assert.deepStrictEqual(of(...statuses.filter((status) => status !== "cancelled")), made)
    }
  )

  it.prop(
    "follows the three rules in their order, in an independent formulation",
    { statuses: Schema.Array(AssignmentStatus) },
    ({ statuses }) => {
      const count = (status: AssignmentStatus) => statuses.filter((it) => it === status).length
      const live = count("assigned") + count("en_route")
      const [status, driverStatus] = of(...statuses)
      assert.strictEqual(status === "completed", count("completed") > 0 && live === 0)
      assert.strictEqual(
        status === "in_progress",
        live > 0 && (count("en_route") > 0 || count("completed") > 0)
      )
      assert.strictEqual(driverStatus === "unassigned", live === 0 && count("completed") === 0)
      assert.strictEqual(driverStatus === "en_route", count("en_route") > 0)
      assert.strictEqual(driverStatus === "completed", status === "completed")
    }
  )
})
