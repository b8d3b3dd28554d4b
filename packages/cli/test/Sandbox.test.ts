import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { requireSandboxPermitted } from "../src/commands/serving/Sandbox.ts"
import { read } from "../src/settings/Settings.ts"

const permitted = (environment: Readonly<Record<string, string>>) =>
  Effect.flatMap(read(environment), requireSandboxPermitted)

describe("the sandbox", () => {
  it.effect("is permitted with the embedded database on this machine", () =>
    Effect.gen(function* () {
      for (const environment of [
        {},
        { HOST: "localhost" },
        { HOST: "::1", BASE_URL: "http://127.0.0.1:3000" },
        { HOST: "::1", BASE_URL: "http://[::1]:3000" }
      ])
        yield* permitted(environment)
    })
  )

  for (const [setting, value] of [
    ["STRIPE_SECRET_KEY", "sk_live_1"],
    ["STRIPE_WEBHOOK_SECRET", "whsec_1"],
    ["STRIPE_API_BASE", "https://api.stripe.com"],
    ["DATABASE_URL", "postgres://livery@127.0.0.1/livery"],
    ["HOST", "0.0.0.0"],
    ["HOST", "192.168.1.4"],
    ["BASE_URL", "https://livery.example.com"]
  ] as const)
    it.effect(`is refused with ${setting} ${value}`, () =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(permitted({ [setting]: value, LIVERY_SECRET: "s".repeat(32) }))
        assert.strictEqual(refusal._tag, "SandboxRefused")
        assert.include(refusal.message, setting)
      })
    )
})
