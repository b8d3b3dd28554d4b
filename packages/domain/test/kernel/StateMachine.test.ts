import { assert, it } from "@effect/vitest"
import { StateMachine } from "@livery/domain"
import { Effect, Exit, Result, Schema } from "effect"

const states = ["red", "green", "blue"] as const
const State = Schema.Literals(states)
const movers = ["operator", "customer", "driver", "payment", "system"] as const
const Mover = Schema.Literals(movers)
const Movers = Schema.Array(Mover)
const Row = Schema.Struct({
  red: Schema.optionalKey(Movers),
  green: Schema.optionalKey(Movers),
  blue: Schema.optionalKey(Movers)
})
const Table = Schema.Struct({ red: Row, green: Row, blue: Row })

it.effect.prop(
  "next, can, move and isTerminal agree for any table",
  { table: Table, from: State, to: State, mover: Mover },
  ({ table, from, to, mover }) =>
    Effect.gen(function* () {
      const machine = StateMachine.make("light", states, table)
      for (const by of [undefined, mover]) {
        const movers = table[from][to]
        const legal = movers !== undefined && (by === undefined || movers.includes(by))
        assert.strictEqual(machine.can(from, to, by), legal)
        assert.strictEqual(machine.next(from, by).includes(to), legal)
        const moved = yield* Effect.result(machine.move(from, to, by))
        assert.deepStrictEqual(Result.getOrUndefined(moved), legal ? to : undefined)
        if (Result.isFailure(moved)) assert.deepStrictEqual(moved.failure.legal, machine.next(from, by))
      }
      assert.strictEqual(machine.isTerminal(from), Object.keys(table[from]).length === 0)
      assert.strictEqual(machine.isTerminal(from), machine.next(from).length === 0)
    })
)

const door = StateMachine.make<"open" | "shut" | "gone">("door", ["open", "shut", "gone"], {
  open: { shut: ["operator"], gone: ["system"] },
  shut: { open: ["operator", "driver"] },
  gone: {}
})

it.effect("a refusal names the moves that the caller may make", () =>
  Effect.gen(function* () {
    const messageOf = (...move: Parameters<typeof door.move>) =>
      Effect.map(Effect.flip(door.move(...move)), (refusal) => refusal.message)
    assert.strictEqual(
      yield* messageOf("open", "open"),
      "A door that is open cannot become open; it may become shut, gone"
    )
    assert.strictEqual(
      yield* messageOf("open", "gone", "operator"),
      "A door that is open cannot become gone; it may become shut"
    )
    assert.strictEqual(
      yield* messageOf("gone", "open"),
      "A door that is gone cannot become open: it is final"
    )
    const hatch = StateMachine.make<"open" | "shut">("open hatch", ["open", "shut"], {
      open: { shut: ["system"] },
      shut: {}
    })
    const refusal = yield* Effect.flip(hatch.move("open", "shut", "operator"))
    assert.strictEqual(
      refusal.message,
      "An open hatch that is open cannot become shut: this caller may not move it"
    )
    assert.strictEqual(
      new StateMachine.IllegalTransition({
        machine: "open hatch",
        from: "open",
        to: "shut",
        legal: [],
        final: false,
        advice: "Wait for the system"
      }).message,
      "An open hatch that is open cannot become shut. Wait for the system"
    )
  })
)

it.effect("a state that another mover may leave is not called final", () =>
  Effect.gen(function* () {
    const refusal = yield* Effect.flip(door.move("shut", "open", "customer"))
    assert.deepStrictEqual([refusal.legal, refusal.final], [[], false])
    assert.notInclude(refusal.message, "final")
    assert.isTrue(Exit.isSuccess(yield* Effect.exit(door.move("shut", "open", "driver"))))
  })
)
