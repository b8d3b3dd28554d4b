/** The composition of the domain and its adapters: the layer that implements each port. */
import { Duration, Effect, Layer } from "effect"
import {
  BusinessTransfer,
  CallbackAddress,
  CardForm,
  FixedSettings,
  InvitationLink,
  MapStyle,
  NoticeLinks,
  PaymentPage,
  RateCounters,
  RefreshGrace,
  ResetLink,
  Routing,
  UseCases,
  VerificationLink,
  WorkNotifier
} from "@livery/domain"
import {
  AesSecretBox,
  Argon2PasswordHasher,
  DirectoryFiles,
  EmlArchive,
  EmlMailer,
  JoseAccessTokens,
  MagicNumbers,
  NodeCryptography,
  OpenIdProviders,
  Geocoding,
  HttpFlights,
  geocodingKindOf,
  OsrmRouting,
  PdfInvoices,
  ExcelSpreadsheets,
  PlanThread,
  SaxesXmlReader,
  RedisRateCounters,
  S3Files,
  SecretKeys,
  SmtpMailer,
  StripePayments,
  WebPush
} from "@livery/integrations"
import { linksBelow } from "@livery/contract/links"
import { installationName, PersistencePg, RateCountersPg, SecretCheck } from "@livery/persistence"
import { AddressGuard, GuardedRequests } from "@livery/webhooks"
import { join } from "node:path"
import * as Database from "./Database.ts"
import { installationSecret } from "./InstallationSecret.ts"
import { cardFormOf } from "./ServedPages.ts"
import { Settings } from "../settings/Settings.ts"
import { matchingSecret, usableDatabase } from "./Startup.ts"

const Keys = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    return SecretKeys.layer(
      settings.secret ?? (yield* installationSecret(settings.dataDirectory, SecretCheck.hasSecret)),
      settings.previousSecret
    )
  })
)

/** The issuer and the audience of access tokens. They do not depend on the installation's address. */
const tokens = { issuer: "livery", audience: "livery" }

/** Which addresses of others are called, and requests to them. */
const Addresses = Layer.unwrap(
  Effect.map(Settings, ({ webhooksAllowInsecure: allowInsecure }) =>
    Layer.merge(AddressGuard.layer({ allowInsecure }), GuardedRequests.layer({ allowInsecure }))
  )
)

/** The addresses of the pages: beside the app of `APP_URL`, else of this server, if it has pages and a public address. */
const pageLinks = Effect.map(Settings, ({ appUrl, baseUrl, pages }) => {
  const address = appUrl ?? (pages ? baseUrl : undefined)
  return address === undefined ? undefined : linksBelow(address)
})

/** The configured identity providers. */
const Identities = Layer.unwrap(
  Effect.gen(function* () {
    const { identityIssuers: issuers } = yield* Settings
    return OpenIdProviders.layer({ issuers, signInPage: (yield* pageLinks)?.login })
  })
)

/** Rate counters that all nodes share; with the embedded database, counters of this process. */
const Counters = Layer.unwrap(
  Effect.map(Settings, ({ databaseUrl, redisUrl }) => {
    if (redisUrl !== undefined) return RedisRateCounters.layer({ url: redisUrl })
    return databaseUrl === undefined ? RateCounters.layerMemory : RateCountersPg.layer
  })
)

/** The mailer: SMTP, or files if no mail server is configured. */
export const MailerLive = Layer.unwrap(
  Effect.map(Settings, ({ dataDirectory, mailFrom, smtpUrl }) =>
    smtpUrl === undefined
      ? EmlMailer.layer({ directory: join(dataDirectory, "mail"), from: mailFrom })
      : SmtpMailer.layer({ url: smtpUrl, from: mailFrom })
  )
)

/** Push messages, in the name of the address from which mail comes. */
const Push = Layer.unwrap(
  Effect.map(Settings, ({ mailFrom }) =>
    WebPush.layer({ subject: `mailto:${/<([^>]+)>/u.exec(mailFrom)?.[1] ?? mailFrom}` })
  )
)

/** The copies of sent messages. They are kept only if no mail server is configured. */
const SentCopies = Layer.unwrap(
  Effect.map(Settings, ({ dataDirectory, smtpUrl }) =>
    smtpUrl === undefined ? EmlArchive.layer({ directory: join(dataDirectory, "mail") }) : Layer.empty
  )
)

/** Distances and times: of the routing server, or from great circles if none is configured. */
const Routes = Layer.unwrap(
  Effect.map(Settings, ({ routingUrl }) =>
    routingUrl === undefined ? Routing.layerGreatCircle : OsrmRouting.layer({ url: routingUrl })
  )
)

/** Finding addresses, if a geocoding server is configured. */
const Geocoder = Layer.unwrap(
  Effect.map(Settings, ({ geocodingUrl: url }) => {
    const kind = url && geocodingKindOf(url)
    return url === undefined || kind === undefined ? Layer.empty : Geocoding.layer({ url, kind })
  })
)

/** The status of flights, if a service is configured. */
const FlightService = Layer.unwrap(
  Effect.map(Settings, ({ flights }) => (flights === undefined ? Layer.empty : HttpFlights.layer(flights)))
)

/** The file store: a bucket that all nodes share, or a directory. */
const Files = Layer.unwrap(
  Effect.map(Settings, ({ dataDirectory, uploads }) =>
    uploads?._tag === "S3"
      ? S3Files.layer(uploads)
      : DirectoryFiles.layer({ directory: uploads?.directory ?? join(dataDirectory, "uploads") })
  )
)

/**
 * The infrastructure that the ports require: the database, the keys, the notifier. The database is checked before the
 * secret, because a new secret may be made only if no data was sealed. The secret is checked before anything uses it.
 */
const Infrastructure = Layer.mergeAll(NodeCryptography.layer, WorkNotifier.layer, matchingSecret).pipe(
  Layer.provideMerge(AesSecretBox.layer),
  Layer.provideMerge(Keys),
  Layer.provideMerge(usableDatabase),
  Layer.provideMerge(Database.layer)
)

/** The payment provider, for an installation of that name. Without a key, every card payment is refused as unavailable. */
export const cardsOf = (installation: string) =>
  Layer.unwrap(
    Effect.map(Settings, ({ stripe }) => StripePayments.layer({ ...stripe, installation }).pipe(Layer.orDie))
  )

const Cards = Layer.unwrap(Effect.map(Effect.orDie(installationName), cardsOf))

const Ports = Layer.mergeAll(
  PersistencePg.layer,
  JoseAccessTokens.layer(tokens),
  Argon2PasswordHasher.layer(),
  Identities,
  Counters,
  Routes,
  Files,
  MagicNumbers.layer,
  Cards,
  PdfInvoices.layer(),
  ExcelSpreadsheets.layer,
  PlanThread.layer(),
  SaxesXmlReader.layer,
  Push.pipe(Layer.provideMerge(Addresses))
).pipe(Layer.provideMerge(Infrastructure))

const fixedBy = (value: number | undefined, by: string) => (value === undefined ? undefined : { value, by })

/** The settings of use cases: the fixed rate limits, the grace period of refresh tokens, and the links in messages. */
const UseCaseSettings = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl, limits, refreshGraceSeconds } = yield* Settings
    const links = yield* pageLinks
    return Layer.mergeAll(
      Layer.succeed(FixedSettings, {
        rate_limit_business: fixedBy(limits.business, "RATE_LIMIT_BUSINESS"),
        rate_limit_auth: fixedBy(limits.auth, "RATE_LIMIT_AUTH"),
        rate_limit_public: fixedBy(limits.public, "RATE_LIMIT_PUBLIC")
      }),
      Layer.succeed(RefreshGrace, Duration.seconds(refreshGraceSeconds)),
      Layer.succeed(InvitationLink, links?.acceptInvitation),
      Layer.succeed(PaymentPage, links?.pay),
      Layer.succeed(
        NoticeLinks,
        links && {
          track: links.track,
          drive: links.driving,
          job: (tripId) => `${links.driving}#job=${tripId}`,
          trip: (tripId) => `${links.app}/trips/${tripId}`
        }
      ),
      Layer.succeed(
        CallbackAddress,
        baseUrl === undefined
          ? undefined
          : (token: string) => `${baseUrl}/api/v1/public/text-callbacks/${token}`
      ),
      Layer.succeed(ResetLink, links?.resetPassword),
      Layer.succeed(VerificationLink, links?.verifyEmail)
    )
  })
)

/** How pages take cards, find addresses and draw maps. */
const PageSettings = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Layer.mergeAll(
      Layer.succeed(CardForm, cardFormOf(settings)),
      Layer.succeed(MapStyle, settings.mapStyleUrl?.href ?? null),
      Geocoder
    )
  )
)

/**
 * {@link Livery} with adapters of your own. A service that `adapters` provides takes the place of the built-in one in every use
 * case and in the result; all other services stay. `adapters` may require built-in services, `Settings` among them, for
 * example to wrap one. Built-in adapters keep the services that they require themselves: `Cryptography`, `SecretBox`,
 * `SecretKeys`, `WorkNotifier` and the `SqlClient`.
 *
 * Providing a layer to `Livery` replaces nothing: `Livery` requires only `Settings`, and Effect builds each layer once.
 */
export const liveryWith = <A, E, R>(adapters: Layer.Layer<A, E, R>) =>
  Layer.merge(UseCases, BusinessTransfer.layer).pipe(
    Layer.provideMerge(adapters),
    Layer.provide(SentCopies),
    Layer.provideMerge(Layer.mergeAll(UseCaseSettings, PageSettings, FlightService)),
    Layer.provideMerge(Ports)
  )

/**
 * All use cases, with the ports and the use cases' settings. Workers need the latter two, because they build use cases of their
 * own, for example reminders with their links. Requires `Settings`.
 */
export const Livery = liveryWith(Layer.empty)
