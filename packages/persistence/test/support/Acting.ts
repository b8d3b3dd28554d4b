import { ActingBusiness, type BusinessId, Currency } from "@livery/domain"
import { Schema } from "effect"

/** A business that acts for itself, in UTC and US dollars. */
export const acting = (business_id: BusinessId): ActingBusiness =>
  Schema.decodeSync(Schema.toType(ActingBusiness))({
    business_id,
    business_name: "Cars",
    status: "A",
    currency: Schema.decodeSync(Currency)("USD"),
    timezone: "UTC"
  })
