import { assert, describe, it } from "@effect/vitest"
import { stateMachines } from "@livery/domain"
import { readFileSync } from "node:fs"
import { documentPath, drawing } from "../scripts/state-machines.ts"

describe("the state machines", () => {
  it("are drawn in the documentation as they are", () => {
    assert.strictEqual(readFileSync(documentPath, "utf8"), drawing)
  })

  it("lead from a state they begin in to every other, and end in one that nothing leaves", () => {
    for (const { initial, name, states, terminal, transitions } of stateMachines) {
      const reached = new Set(initial)
      for (const state of reached) for (const { from, to } of transitions) if (from === state) reached.add(to)
      assert.sameMembers([...reached], [...states], name)
      assert.isNotEmpty(terminal, name)
      for (const { from, movers, to } of transitions) {
        assert.isNotEmpty(movers, `${name}: ${from} to ${to}`)
        assert.notInclude(terminal, from, name)
      }
    }
  })
})
