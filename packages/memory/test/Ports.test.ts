import { globSync } from "node:fs"
import { basename, join } from "node:path"
import type {
  AccessTokens,
  AddressPolicy,
  FileRecognition,
  FileStore,
  IdentityProviders,
  InvoiceRenderer,
  OutgoingRequests,
  PasswordHasher,
  PaymentProvider,
  SecretBox,
  UseCases,
  XmlReader
} from "@livery/domain"
import type { Memory } from "@livery/memory"
import type { Layer } from "effect"
import { assert, describe, expectTypeOf, it } from "vitest"

const root = join(import.meta.dirname, "../../..")
const namesIn = (pattern: string, suffix: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => basename(file, `${suffix}.ts`))
    .sort()

describe("each port in memory", () => {
  it("has a contract", () => {
    const others = new Set([
      "Contract",
      "Deliveries",
      "Given",
      "InvoiceDraft",
      "PersonalDocuments",
      "PersonalFiles",
      "Notices",
      "PersonalInvoices",
      "PersonRecords",
      "TripFilters",
      "index"
    ])
    const contracts = namesIn("test/contract/*.ts", "").filter((name) => !others.has(name))
    assert.deepStrictEqual(namesIn("packages/memory/src/*/*Memory.ts", "Memory"), contracts)
  })
})

it("the ports in memory and those that docs/embedding.md lists are all that the use cases require", () => {
  expectTypeOf<Exclude<Layer.Services<typeof UseCases>, Layer.Success<typeof Memory.layer>>>().toEqualTypeOf<
    | AccessTokens
    | AddressPolicy
    | FileRecognition
    | FileStore
    | IdentityProviders
    | InvoiceRenderer
    | OutgoingRequests
    | PasswordHasher
    | PaymentProvider
    | SecretBox
    | XmlReader
  >()
})
