/** How long changes of a trip wait for further ones before they are told. */

/** The quiet time of a business that has set none. */
export const defaultQuietMinutes = 2

/** A burst is told after so many quiet times, although it has not ended. */
export const maxQuietTimes = 10
