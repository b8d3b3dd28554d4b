// The ports on PostgreSQL keep the contracts of the domain's ports.
import { Layer } from "effect"
import { contracts } from "../../../test/contract/index.ts"
import { RecordsPg } from "./support/RecordsPg.ts"
import { TestPersistence } from "./support/TestPersistence.ts"

const Ports = RecordsPg.pipe(Layer.provideMerge(TestPersistence))

for (const contract of contracts) contract(Ports)
