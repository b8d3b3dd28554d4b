/** The one place where the domain meets its adapters: which layer answers which port. */
import { Duration, Effect, Layer } from "effect"
import { InvitationLink, RateCounters, RefreshGrace, ResetLink, UseCases, WorkNotifier } from "@livery/domain"
import {
  AesSecretBox,
  Argon2PasswordHasher,
  DirectoryFiles,
  EmlMailer,
  JoseAccessTokens,
  MagicNumbers,
  NodeCryptography,
  OpenIdProviders,
  RedisRateCounters,
  S3Files,
  SecretKeys,
  SmtpMailer
} from "@livery/integrations"
import { PersistencePg, RateCountersPg } from "@livery/persistence"
import { AddressGuard } from "@livery/webhooks"
import { join } from "node:path"
import * as Database from "./Database.ts"
import { installationSecret } from "./InstallationSecret.ts"
import { Settings } from "./Settings.ts"

const Keys = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    return SecretKeys.layer(settings.secret ?? (yield* installationSecret(settings.dataDirectory)))
  })
)

/** Who issues and takes access tokens: the installation, by whatever address it is reached. */
const tokens = { issuer: "livery", audience: "livery" }

const Addresses = Layer.unwrap(
  Effect.map(Settings, ({ webhooksAllowInsecure }) =>
    AddressGuard.layer({ allowInsecure: webhooksAllowInsecure })
  )
)

/** Who may vouch for a person; nobody, unless settings name them. */
const Identities = Layer.unwrap(
  Effect.map(Settings, ({ identityIssuers }) => OpenIdProviders.layer({ issuers: identityIssuers }))
)

/** Counters that all nodes share, or this process's own where there is but one. */
const Counters = Layer.unwrap(
  Effect.map(Settings, ({ databaseUrl, redisUrl }) => {
    if (redisUrl !== undefined) return RedisRateCounters.layer({ url: redisUrl })
    return databaseUrl === undefined ? RateCounters.layerMemory : RateCountersPg.layer
  })
)

/** Mail goes by SMTP, or into files where there is no mail server. */
export const MailerLive = Layer.unwrap(
  Effect.map(Settings, ({ dataDirectory, mailFrom, smtpUrl }) =>
    smtpUrl === undefined
      ? EmlMailer.layer({ directory: join(dataDirectory, "mail"), from: mailFrom })
      : SmtpMailer.layer({ url: smtpUrl, from: mailFrom })
  )
)

/** Uploads are kept in a bucket that all nodes share, or in a directory. */
const Files = Layer.unwrap(
  Effect.map(Settings, ({ dataDirectory, uploads }) =>
    uploads?._tag === "S3"
      ? S3Files.layer(uploads)
      : DirectoryFiles.layer({ directory: uploads?.directory ?? join(dataDirectory, "uploads") })
  )
)

/** What every port needs to be answered: the database, the keys, the notifier. */
const Ground = Layer.mergeAll(
  Database.layer,
  AesSecretBox.layer.pipe(Layer.provideMerge(Keys)),
  NodeCryptography.layer,
  WorkNotifier.layer
)

const Ports = Layer.mergeAll(
  PersistencePg.layer,
  JoseAccessTokens.layer(tokens),
  Argon2PasswordHasher.layer(),
  Identities,
  Counters,
  Files,
  MagicNumbers.layer,
  Addresses
).pipe(Layer.provideMerge(Ground))

/** What use cases are told by the settings: how forgiving a refresh is, and where letters lead. */
const Ways = Layer.unwrap(
  Effect.map(Settings, ({ appUrl, refreshGraceSeconds }) =>
    Layer.mergeAll(
      Layer.succeed(RefreshGrace, Duration.seconds(refreshGraceSeconds)),
      Layer.succeed(
        InvitationLink,
        appUrl === undefined ? undefined : (code: string) => `${appUrl}/accept-invitation#code=${code}`
      ),
      Layer.succeed(
        ResetLink,
        // Behind the #, so that no server and no proxy on the way ever sees the code.
        appUrl === undefined ? undefined : (code: string) => `${appUrl}/password-reset#code=${code}`
      )
    )
  )
)

/** Every use case over its real ports, and the ports. Needs `Settings`. */
export const Livery = UseCases.pipe(Layer.provide(Ways), Layer.provideMerge(Ports))
