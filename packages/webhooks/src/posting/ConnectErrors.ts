/** The failures of the guarded connector. */

/** The name has an address that is not allowed. */
export class AddressNotAllowed extends Error {}

/** The name has no address, or none was found in time. */
export class NameNotResolved extends Error {}
