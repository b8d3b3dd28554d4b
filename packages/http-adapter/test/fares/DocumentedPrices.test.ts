import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { company } from "../support/Fleet.ts"
import { PortsInMemory } from "../support/TestPorts.ts"
import { openServer, record } from "../support/TestServer.ts"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/api/fares.md"), "utf8")

/** The bodies that the page shows, as printed. */
const bodies = [...page.matchAll(/```json\n(?<body>.*?)```/gsu)].map(
  ({ groups }) => JSON.parse(groups?.["body"] ?? "") as object
)

layer(PortsInMemory)("docs/api/fares.md", (it) => {
  it.effect("shows a tariff and a scheme of pay that are accepted as printed", () =>
    Effect.gen(function* () {
      const { driver, send } = yield* company(yield* openServer())
      const [tariff = {}, pay = {}] = bodies
      assert.deepInclude(record(yield* send("POST", "/tariffs", tariff)), { version: 1, warnings: [] })
      const { driver_id } = yield* driver()
      const { schemes } = record(yield* send("PATCH", `/drivers/${String(driver_id)}/pay`, pay))
      assert.lengthOf(schemes as ReadonlyArray<object>, 1)
      assert.lengthOf(bodies, 2)
    })
  )
})
