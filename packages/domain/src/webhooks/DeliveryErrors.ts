/** The errors of deliveries that ended without a result. */

/** The `last_error` of a delivery that was cancelled because its endpoint was disabled or deleted. */
export const endpointDisabled = "endpoint disabled"

/** The error of an attempt that was never reported. */
export const unreportedError = "no result: the dispatcher stopped"
