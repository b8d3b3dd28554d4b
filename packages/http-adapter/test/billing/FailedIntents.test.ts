import { PaymentProvider } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { openServer, record, refusedAs } from "../support/TestServer.ts"
import { assertStatuses, billing, billingPg } from "./Billing.ts"
import { cards } from "./CardBusiness.ts"

/** The distinct secrets in these responses. */
const secretsOf = (answers: ReadonlyArray<Parameters<typeof record>[0]>) =>
  new Set(answers.map((answer) => record(answer)["client_secret"]))

billing("failures of the provider while an intent is created", (it) => {
  for (const kind of ["error_500_kept", "error_500_after", "error_500"] as const)
    for (const times of [1, 3, 12])
      it.effect(`(${times} × ${kind}) leave the amount payable, once and by one intent`, () =>
        Effect.gen(function* () {
          const { begin, emulator, invoice, ledger, payByCard, read, succeeded } = yield* cards
          const made = yield* invoice()
          yield* emulator.fault({ operation: "payment_intents.create", kind, times })
          let answer = yield* begin(made)
          for (let call = 0; call < times && answer.status !== 200; call++) {
            refusedAs(answer, 503, "payment_provider_unavailable")
            answer = yield* begin(made)
          }
          const again = yield* begin(made)
          assert.strictEqual(secretsOf([answer, again]).size, 1)
          assert.lengthOf(emulator.intents(), 1)
          yield* payByCard(made)
          record(yield* succeeded)
          assert.deepInclude(yield* read(made["invoice_id"]), { status: "paid" })
          assert.deepStrictEqual(yield* ledger(made), [["payment", 100]])
        })
      )

  it.effect("never lead to a second payable intent, if a concurrent request has stored one meanwhile", () =>
    Effect.gen(function* () {
      const { begin, emulator, invoice, withProvider } = yield* cards
      const made = yield* invoice()
      const provider = yield* withProvider(PaymentProvider)
      const slow = yield* openServer().pipe(
        Effect.provideService(PaymentProvider, {
          ...provider,
          createIntent: (request) =>
            Effect.andThen(
              Effect.orDie(begin(made)),
              provider.createIntent({ ...request, attempt: request.attempt + 7 })
            )
        })
      )
      const answer = yield* slow.send("POST", `/public/invoices/${String(made["payment_hash"])}/pay`)
      assert.strictEqual(secretsOf([answer, yield* begin(made)]).size, 1)
      assert.deepStrictEqual(
        emulator
          .intents()
          .map(({ status }) => status)
          .toSorted(),
        ["canceled", "requires_payment_method"]
      )
    })
  )
})

billingPg("failures of the provider while an intent is created", (it) => {
  it.effect("give all of several concurrent requests the secret of one intent", () =>
    Effect.gen(function* () {
      const { begin, emulator, invoice } = yield* cards
      for (const kind of ["error_500_kept", "error_500_after"] as const) {
        const made = yield* invoice()
        yield* emulator.fault({ operation: "payment_intents.create", kind, times: 2 })
        const answers = yield* Effect.all(
          Array.from({ length: 6 }, () => begin(made)),
          { concurrency: "unbounded" }
        )
        assertStatuses(answers, [200, 200, 200, 200, 200, 200])
        assert.strictEqual(secretsOf(answers).size, 1)
        yield* emulator.clearFaults
      }
      assert.lengthOf(
        emulator.intents().filter(({ status }) => status !== "canceled"),
        2
      )
    })
  )
})
