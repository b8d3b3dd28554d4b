/**
 * The addresses of the pages, for the programs that write mails and for the pages themselves. This file imports nothing,
 * so that a page can use it through `@livery/contract/links`.
 *
 * A secret stands in the fragment of an address. Browsers send no fragment, so that no server, proxy or referrer sees it.
 */

/** The addresses below `base`, which is the address of the app without a slash at its end; with `""`, they are paths. */
export const linksBelow = (base: string) => {
  const withSecret = (page: string, secret: string) => `${base}/${page}#${encodeURIComponent(secret)}`
  const withNamed = (page: string, name: string, secret: string) =>
    `${base}/${page}#${name}=${encodeURIComponent(secret)}`
  return {
    /** Following a trip, by its tracking token. */
    track: (token: string) => withSecret("track", token),
    /** Reading and accepting a quote, by its token. */
    quote: (token: string) => withSecret("quote", token),
    /** The jobs of a driver without an account, by the token of an assignment. */
    drive: (token: string) => withSecret("drive", token),
    /** The jobs of a driver who signs in. */
    driving: `${base}/drive`,
    /** Paying an invoice, by its `payment_hash`. */
    pay: (paymentHash: string) => withNamed("pay", "invoice", paymentHash),
    /** Accepting the invitation of a driver or a member. */
    acceptInvitation: (code: string) => withNamed("accept-invitation", "code", code),
    /** Verifying the email of a new account. */
    verifyEmail: (code: string) => withNamed("verify-email", "code", code),
    /** Setting a new password. */
    resetPassword: (code: string) => withNamed("password-reset", "code", code),
    /** The booking page of a business, by its `vendor_slug`. */
    book: (vendorSlug: string) => `${base}/book/${encodeURIComponent(vendorSlug)}`,
    /** Signing in. */
    login: `${base}/login`,
    /** The office. */
    app: `${base}/app`,
    /** The office, signed in to the demonstration business by a code. */
    demonstration: (code: string) => withNamed("app", "demo", code),
    /** The reference of the API. */
    docs: `${base}/docs`
  }
}

/** The secret in the fragment of an address of {@link linksBelow} (`location.hash`); undefined if it has none. */
export const secretIn = (hash: string): string | undefined => {
  const secret = hash.replace(/^#?(?:[a-z]+=)?/u, "")
  try {
    return secret === "" ? undefined : decodeURIComponent(secret)
  } catch {
    return undefined
  }
}
