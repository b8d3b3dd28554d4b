import { ActingBusiness, type BusinessId, Currency, Customers, Detaching } from "@livery/domain"
import { NodeCryptography } from "@livery/integrations"
import { Layer, Schema } from "effect"
import { TestPersistence } from "../support/TestPersistence.ts"

/** The use cases of customers on PostgreSQL. */
export const UseCases = Customers.layer.pipe(
  Layer.provide(Detaching.layer),
  Layer.provide(NodeCryptography.layer),
  Layer.provideMerge(TestPersistence)
)

/** A business that acts for itself. */
export const acting = (business_id: BusinessId): ActingBusiness =>
  Schema.decodeSync(Schema.toType(ActingBusiness))({
    business_id,
    business_name: "Cars",
    status: "A",
    currency: Schema.decodeSync(Currency)("USD"),
    timezone: "UTC"
  })
