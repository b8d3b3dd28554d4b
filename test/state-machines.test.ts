import { assert, describe, it } from "@effect/vitest"
import { stateMachines } from "@livery/domain"
import { readFileSync } from "node:fs"
import { documentPath, drawing } from "../scripts/state-machines.ts"

/** What is switched on and off again has no end. */
const switches = new Set(["endpoint", "business"])

describe("the state machines", () => {
  it("are drawn in the documentation without differences", () => {
    assert.strictEqual(readFileSync(documentPath, "utf8"), drawing)
  })

  it("reach every state from an initial one, and have a terminal state unless they are switches", () => {
    for (const { initial, name, states, terminal, transitions } of stateMachines) {
      const reached = new Set(initial)
      for (const state of reached) for (const { from, to } of transitions) if (from === state) reached.add(to)
      assert.sameMembers([...reached], [...states], name)
      assert.strictEqual(terminal.length === 0, switches.has(name), name)
      for (const { from, movers, to } of transitions) {
        assert.isNotEmpty(movers, `${name}: ${from} to ${to}`)
        const isReopening = name === "trip" && to === "confirmed"
        if (!isReopening) assert.notInclude(terminal, from, name)
      }
    }
  })
})
