/** The real ports under the API in tests, on a database of the test file's own. */
import { type Cryptography, Routing, WorkNotifier } from "@livery/domain"
import {
  AesSecretBox,
  Argon2PasswordHasher,
  DirectoryFiles,
  JoseAccessTokens,
  MagicNumbers,
  NodeCryptography,
  OpenIdProviders,
  PdfInvoices,
  SecretKeys,
  StripePayments
} from "@livery/integrations"
import { PersistencePg, ReadinessPg } from "@livery/persistence"
import { AddressGuard } from "@livery/webhooks"
import { Clock, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { CapturedLog } from "./CapturedLog.ts"

/** The time at which every test begins. */
export const beginning = DateTime.makeUnsafe("2026-11-20T09:30:00Z")

const Keys = SecretKeys.layer(Redacted.make("a secret for tests, of no use to anyone")).pipe(Layer.orDie)

/** The infrastructure that the ports require, except the database and cryptography. */
const Infrastructure = Layer.mergeAll(
  AesSecretBox.layer.pipe(Layer.provideMerge(Keys)),
  WorkNotifier.layer,
  Routing.layerGreatCircle,
  CapturedLog.layer,
  Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(beginning)))
)

/** The file store, in a directory that is removed with the layer. */
const Files = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "livery-uploads-"))),
      (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
    ),
    (directory) => DirectoryFiles.layer({ directory })
  )
)

/** Compares the machine's clock with the database's: the test's differs from it by days. */
const Ready = Layer.fresh(ReadinessPg.layer).pipe(
  Layer.provide(Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock)))
)

/** The least costs of argon2. At its usual ones, the tests would spend most of their processor time on hashes of passwords. */
const leastCosts = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** All ports with that cryptography, on the database that the test provides. */
export const portsWith = <E, R>(cryptography: Layer.Layer<Cryptography, E, R>) =>
  Layer.mergeAll(
    OpenIdProviders.layer({ issuers: [] }),
    Layer.provideMerge(Ready, PersistencePg.layer),
    JoseAccessTokens.layer({ issuer: "livery", audience: "livery" }),
    Argon2PasswordHasher.layer({}, leastCosts),
    MagicNumbers.layer,
    Files,
    PdfInvoices.layer(),
    AddressGuard.layer(),
    // No provider is configured. Tests of card payments provide their own.
    StripePayments.layer({
      secretKey: undefined,
      webhookSecret: undefined,
      apiBase: undefined,
      installation: "test"
    })
  ).pipe(Layer.provideMerge(Layer.merge(Infrastructure, cryptography)))

/** All ports on the database that the test provides. */
export const PortsOn = portsWith(NodeCryptography.layer)

/** All ports; for `layer(…)` of a test file. The clock is the `TestClock`, from {@link beginning} on. */
export const Ports = PortsOn.pipe(Layer.provideMerge(TestDatabase.layer))

/** The services of the layer: the ports, the database's client and the captured log. */
export type Ports = Layer.Success<typeof Ports>

/** Advances the clock until the cached credentials have expired. */
export const expireCredentials = TestClock.adjust("1500 millis")
