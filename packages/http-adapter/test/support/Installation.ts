/** What is under the API in tests: the domain's use cases over their real ports, on a database of their own. */
import { WorkNotifier } from "@livery/domain"
import {
  AesSecretBox,
  Argon2PasswordHasher,
  DirectoryFiles,
  JoseAccessTokens,
  MagicNumbers,
  NodeCryptography,
  OpenIdProviders,
  SecretKeys
} from "@livery/integrations"
import { PersistencePg } from "@livery/persistence"
import { AddressGuard } from "@livery/webhooks"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { Journal } from "./Journal.ts"

/** When every test begins. */
export const beginning = DateTime.makeUnsafe("2026-11-20T09:30:00Z")

const Keys = SecretKeys.layer(Redacted.make("a secret for tests, of no use to anyone")).pipe(Layer.orDie)

/** What every port needs but the database. */
const Ground = Layer.mergeAll(
  AesSecretBox.layer.pipe(Layer.provideMerge(Keys)),
  NodeCryptography.layer,
  WorkNotifier.layer,
  Journal.layer,
  Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(beginning)))
)

/** Uploads are kept in a directory that is gone with the tests. */
const Files = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "livery-uploads-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    ),
    (directory) => DirectoryFiles.layer({ directory })
  )
)

/** Every port over the database that the test brings. */
export const PortsOn = Layer.mergeAll(
  OpenIdProviders.layer({ issuers: [] }),
  PersistencePg.layer,
  JoseAccessTokens.layer({ issuer: "livery", audience: "livery" }),
  Argon2PasswordHasher.layer(),
  MagicNumbers.layer,
  Files,
  AddressGuard.layer()
).pipe(Layer.provideMerge(Ground))

/** Give it to `layer(…)`: one for each file. Its clock is the `TestClock`, from {@link beginning} on. */
export const Ports = PortsOn.pipe(Layer.provideMerge(TestDatabase.layer))

/** What it offers a test: every port, the database's client and the journal. */
export type Ports = Layer.Success<typeof Ports>

/** Lets so much time pass that no credential is remembered as it was. */
export const aMomentLater = TestClock.adjust("1500 millis")
