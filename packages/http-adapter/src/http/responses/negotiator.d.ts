/** The part of `negotiator` that is used: the types in the registry lack the order of preference. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly "accept-encoding": string } })
    /** The acceptable ones of the available encodings, best first; of equal ones, the first in `preferred`. */
    encodings<A extends string>(
      available: ReadonlyArray<A>,
      options: { readonly preferred: ReadonlyArray<A> }
    ): ReadonlyArray<A>
  }
}
