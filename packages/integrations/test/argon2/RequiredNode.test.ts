import { assert, it } from "@effect/vitest"
import { nodeRefusal } from "../../src/argon2/RequiredNode.ts"

it("an older Node is refused with the version that is needed, and Node 24 and later are not", () => {
  assert.strictEqual(nodeRefusal("20.19.0"), "@livery/integrations needs Node 24 or later; this is v20.19.0")
  assert.isUndefined(nodeRefusal("24.0.0"))
  assert.isUndefined(nodeRefusal("26.1.0"))
})
