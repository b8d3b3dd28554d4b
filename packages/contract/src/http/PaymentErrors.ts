/** The errors that several routes about payments have in common. */
import { wireErrors } from "./ErrorMap.ts"

/** The errors of a route that calls the payment provider. */
export const providerErrors = [wireErrors.paymentRefused, wireErrors.paymentProviderUnavailable] as const

/** The errors of a route that uses the invoice of a trip or a booking, and creates one if there is none. */
export const invoicingErrors = [
  wireErrors.notFound,
  wireErrors.conflict,
  wireErrors.planLimitExceeded,
  wireErrors.nothingOutstanding
] as const
