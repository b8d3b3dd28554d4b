import { Customers, Detaching } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { Layer } from "effect"
import { TestPersistence } from "../support/TestPersistence.ts"

/** The use cases of customers on PostgreSQL. */
export const UseCases = Customers.layer.pipe(
  Layer.provide(Detaching.layer),
  Layer.provide(NodeCryptography.layer),
  Layer.provideMerge(TestPersistence)
)
