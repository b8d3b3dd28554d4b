import { SecretBox } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { Effect, Exit, Layer, Redacted, Schema } from "effect"

const boxOf = (secret: string, previous?: string) =>
  AesSecretBox.layer.pipe(
    Layer.provide(
      SecretKeys.layer(
        Redacted.make(secret),
        previous === undefined ? undefined : Redacted.make(previous)
      ).pipe(Layer.orDie)
    )
  )

const WellFormed = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))

const dies = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => Exit.isFailure(exit) && Exit.hasDies(exit))

const spelling = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. \n"

layer(boxOf("a secret of at least 32 characters"))("AesSecretBox", (it) => {
  it.effect.prop("opens what it sealed, and never seals twice alike", { plain: WellFormed }, ({ plain }) =>
    Effect.gen(function* () {
      const { seal, open } = yield* SecretBox
      const [one, other] = [yield* seal(plain), yield* seal(plain)]
      assert.strictEqual(yield* open(one), plain)
      assert.strictEqual(yield* open(other), plain)
      assert.notStrictEqual(one, other)
      assert.match(one, /^v1\.[\w-]{38,}$/u)
    })
  )

  it.effect("opens texts of any script and length", () =>
    Effect.gen(function* () {
      const { seal, open } = yield* SecretBox
      for (const plain of ["", "\u0000", "whsec_abc", "Zürich → 東京 🚕", "🚕".repeat(100_000)]) {
        assert.strictEqual(yield* open(yield* seal(plain)), plain)
      }
    })
  )

  it.effect.prop(
    "dies if any character was changed",
    {
      plain: WellFormed,
      at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })),
      by: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: spelling.length - 1 }))
    },
    ({ plain, at, by }) =>
      Effect.gen(function* () {
        const { seal, open } = yield* SecretBox
        const sealed = yield* seal(plain)
        const place = at % sealed.length
        const changed = sealed.slice(0, place) + spelling.charAt(by) + sealed.slice(place + 1)
        if (changed !== sealed) assert.isTrue(yield* dies(open(changed)))
      }),
    { arbitrary: { runs: 500 } }
  )

  it.effect("dies for every non-canonical encoding", () =>
    Effect.gen(function* () {
      const { seal, open } = yield* SecretBox
      // Three lengths, so that base64url's last character carries 6, 4 and 2 bits.
      for (const plain of ["abc", "abcd", "abcde"]) {
        const sealed = yield* seal(plain)
        for (let place = 0; place < sealed.length; place++) {
          for (const character of spelling) {
            const changed = sealed.slice(0, place) + character + sealed.slice(place + 1)
            if (changed !== sealed) assert.isTrue(yield* dies(open(changed)), `${character} at ${place}`)
          }
        }
      }
    })
  )

  it.effect("dies for a text that was truncated, extended, or never sealed", () =>
    Effect.gen(function* () {
      const { seal, open } = yield* SecretBox
      const sealed = yield* seal("whsec_abc")
      const others = ["", "v1.", "v1", "whsec_abc", sealed.slice(3), sealed.replace("v1", "v2")]
      for (const text of [
        ...others,
        sealed.slice(0, -1),
        sealed.slice(0, -4),
        `${sealed}A`,
        `${sealed}AAAA`
      ]) {
        assert.isTrue(yield* dies(open(text)), text)
      }
    })
  )

  it.effect("dies for a text that another secret sealed", () =>
    Effect.gen(function* () {
      const theirs = yield* SecretBox.use(({ seal }) => seal("whsec_abc")).pipe(
        Effect.provide(Layer.fresh(boxOf("another secret of 32 characters!")))
      )
      assert.isTrue(yield* dies((yield* SecretBox).open(theirs)))
    })
  )

  it.effect("opens a text of the previous secret, and seals under the current one only", () =>
    Effect.gen(function* () {
      const [before, after] = ["a secret of at least 32 characters", "another secret of 32 characters!"]
      const within = <A>(
        use: (box: SecretBox["Service"]) => Effect.Effect<A>,
        ...secrets: [string, string?]
      ) => SecretBox.use(use).pipe(Effect.provide(Layer.fresh(boxOf(...secrets))))
      const old = yield* within(({ seal }) => seal("whsec_abc"), before)
      const anew = yield* within(({ open, seal }) => Effect.flatMap(open(old), seal), after, before)
      assert.strictEqual(yield* within(({ open }) => open(anew), after), "whsec_abc")
      assert.isTrue(yield* within(({ open }) => dies(open(anew)), before))
      assert.isTrue(yield* within(({ open }) => dies(open(old.slice(0, -1))), after, before))
    })
  )

  it.effect("dies for a text that would be another one after decryption", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* dies((yield* SecretBox).seal("half a pair: \uD83D")))
    })
  )
})
