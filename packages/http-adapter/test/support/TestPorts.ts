/** The real ports under the API in tests, on a database of the test file's own. */
import { OutgoingRequests, Routing, WorkNotifier } from "@livery/domain"
import {
  AesSecretBox,
  Argon2PasswordHasher,
  DirectoryFiles,
  JoseAccessTokens,
  MagicNumbers,
  NodeCryptography,
  OpenIdProviders,
  PdfInvoices,
  ExcelSpreadsheets,
  SaxesXmlReader,
  SecretKeys,
  StripePayments
} from "@livery/integrations"
import { PersistencePg, ReadinessPg } from "@livery/persistence"
import { Memory } from "@livery/memory"
import { AddressGuard } from "@livery/webhooks"
import { Clock, Context, DateTime, Duration, Effect, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { CapturedLog } from "./CapturedLog.ts"
import { Rows } from "./Rows.ts"

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

/** One thread draws the PDFs of all files that a worker runs, because it takes a second to start. */
const Pdfs = Layer.succeedContext(
  Effect.runSync(
    Scope.provide(Scope.makeUnsafe())(Layer.build(PdfInvoices.layer({ idle: Duration.infinity })))
  )
)

/** The ports that are no storage, with the storage's own below them. */
const others = () =>
  Layer.mergeAll(
    OpenIdProviders.layer({ issuers: [] }),
    JoseAccessTokens.layer({ issuer: "livery", audience: "livery" }),
    Argon2PasswordHasher.layer({}, leastCosts),
    MagicNumbers.layer,
    Files,
    Pdfs,
    ExcelSpreadsheets.layer,
    SaxesXmlReader.layer,
    AddressGuard.layer(),
    // A gateway for text messages that takes each message, and repeats the secrets that it was sent.
    Layer.succeed(OutgoingRequests, {
      send: ({ headers }) =>
        Effect.succeed({ status: 201, body: JSON.stringify({ id: "SM1", seen: headers["authorization"] }) })
    }),
    // No provider is configured. Tests of card payments provide their own.
    StripePayments.layer({
      secretKey: undefined,
      webhookSecret: undefined,
      apiBase: undefined,
      installation: "test"
    })
  )

/** All ports on the database that the test provides. */
export const PortsOn = Layer.mergeAll(
  others(),
  Layer.provideMerge(Ready, PersistencePg.layer),
  Rows.layerPg
).pipe(Layer.provideMerge(Layer.merge(Infrastructure, NodeCryptography.layer)))

/** All ports on PostgreSQL; for `layer(…)` of a test file. The clock is the `TestClock`, from {@link beginning} on. */
export const Ports = PortsOn.pipe(Layer.provideMerge(TestDatabase.layer))

/** The services of {@link Ports}: the ports, the database's client and the captured log. */
export type Ports = Layer.Success<typeof Ports>

/**
 * All ports in memory; for `layer(…)` of a test file whose rules do not depend on PostgreSQL, and that reads and changes
 * rows by the API and the ports only. The ports of both keep the contracts in `test/contract`.
 */
export const PortsInMemory = Layer.mergeAll(others(), Rows.layerMemory).pipe(
  Layer.provideMerge(Layer.provideMerge(Infrastructure, Memory.layer))
)

/** The services that {@link Ports} and {@link PortsInMemory} have in common. */
export type CommonPorts = Extract<Ports, Layer.Success<typeof PortsInMemory>>

/** Advances the clock until the cached credentials have expired. */
export const expireCredentials = TestClock.adjust("1500 millis")
