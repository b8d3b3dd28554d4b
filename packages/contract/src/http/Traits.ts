/**
 * The properties of a route that the request pipeline needs beyond its contract, as annotations of a route, a group or
 * the API. A route without annotations has {@link defaultTraits}.
 */
import { Context } from "effect"
import type { PublicAddressKind } from "@livery/domain/records"

/** Every trait of a route. */
export interface Traits {
  readonly cacheControl: string | undefined
  readonly counted: boolean
  readonly isPublic: boolean
  readonly logLevel: "debug" | "info"
  readonly provenBy: ((value: unknown) => boolean) | undefined
  readonly publicAddress: PublicAddressKind | undefined
  readonly secretParameter: string | undefined
  readonly yields: boolean
}

/** The traits of a route without annotations. */
export const defaultTraits: Traits = {
  cacheControl: undefined,
  counted: true,
  isPublic: true,
  logLevel: "info",
  provenBy: undefined,
  publicAddress: undefined,
  secretParameter: undefined,
  yields: false
}

const trait = <Name extends keyof Traits>(name: Name) =>
  Context.Reference<Traits[Name]>(`@livery/contract/traits/${name}`, {
    defaultValue: () => defaultTraits[name]
  })

/** The `Cache-Control` of its responses; if undefined, the header is not sent. */
const CacheControl = trait("cacheControl")

/**
 * Whether a request that reached no access check counts against its address. False for probes, the documentation and
 * files that browsers request on their own.
 */
const Counted = trait("counted")

/** Whether pages of other origins may read its responses. Probes are for the installation's own programs. */
const IsPublic = trait("isPublic")

/** The level of its log line. Probes come every few seconds and log at `debug`. */
const LogLevel = trait("logLevel")

/**
 * What the first parameter of its path names, for routes of visitors. A repeated request gets its stored response only while
 * the business of that address is active.
 */
const PublicAddress = trait("publicAddress")

/**
 * Whether a value of the handler proves that the caller's credential is still valid, because the handler's write requires
 * that. Then the credential of a caller who was admitted before is not looked up first, but only before any other response.
 */
const ProvenBy = trait("provenBy")

/** The path parameter that is a credential. The log shows `…` in its place. */
const SecretParameter = trait("secretParameter")

/** Whether its requests yield the event loop to other work before they start. */
const Yields = trait("yields")

/** For probes and scrapes: neither counted nor cached, for no page of another origin, and logged at `debug`. */
export const probe = Context.make(Counted, false).pipe(
  Context.add(IsPublic, false),
  Context.add(LogLevel, "debug"),
  Context.add(CacheControl, undefined)
)

/** For pages that people open in a browser: not counted. */
export const page = Context.make(Counted, false)

/** For the pages of the business and their scripts: not counted, and not for pages of other origins. */
export const webPage = page.pipe(Context.add(IsPublic, false))

/** For responses with tokens, keys and personal data, which no cache may keep. */
export const uncached = Context.make(CacheControl, "no-store")

/** For responses of one holder of a secret, which that holder's programs keep and ask for again by their `ETag`. */
export const revalidated = Context.make(CacheControl, "private, no-cache")

/** For public routes that hash a password. */
export const yields = Context.make(Yields, true)

/** For routes whose path parameter of that name is a credential. */
export const secretParameter = (name: string) => Context.make(SecretParameter, name)

/** For routes of visitors, whose first path parameter is an address of that kind. */
export const publicAddress = (kind: PublicAddressKind) => Context.make(PublicAddress, kind)

/** For routes whose handler returns such values only if its write found the caller's credential valid. */
export const provenBy = (isProof: (value: unknown) => boolean) => Context.make(ProvenBy, isProof)

/** The traits that annotations hold. */
export const traitsOf = (annotations: Context.Context<never>): Traits => ({
  cacheControl: Context.get(annotations, CacheControl),
  counted: Context.get(annotations, Counted),
  isPublic: Context.get(annotations, IsPublic),
  logLevel: Context.get(annotations, LogLevel),
  provenBy: Context.get(annotations, ProvenBy),
  publicAddress: Context.get(annotations, PublicAddress),
  secretParameter: Context.get(annotations, SecretParameter),
  yields: Context.get(annotations, Yields)
})
