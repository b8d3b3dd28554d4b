// The ports in memory keep the contracts of the domain's ports.
import { Effect, Layer } from "effect"
import { Records } from "../../../test/contract/Contract.ts"
import { contracts } from "../../../test/contract/index.ts"
import { Memory, Store } from "../src/index.ts"

const RecordsMemory = Layer.effect(
  Records,
  Effect.map(Store, ({ audit, step }) =>
    Records.of({
      audit: (subject) => step(() => audit.where((entry) => entry.subject === subject))
    })
  )
)

for (const contract of contracts) contract(RecordsMemory.pipe(Layer.provideMerge(Memory.layer)))
