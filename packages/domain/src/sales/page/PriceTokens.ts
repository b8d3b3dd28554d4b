/** Prices of a booking page in encrypted tokens, so that a displayed price is honoured for a while. */
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { FareInputs } from "../../fares/engine/FareInputs.ts"
import { FareRequest } from "../../fares/estimates/FareRequest.ts"
import { Conflict, invalidField, type InvalidInput } from "../../kernel/Errors.ts"
import { Idempotency } from "../../kernel/idempotency/Idempotency.ts"
import { BusinessId, ProductId, TariffId } from "../../kernel/Ids.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { Cryptography } from "../../kernel/security/Cryptography.ts"
import { SecretBox } from "../../kernel/security/SecretBox.ts"
import { VehicleClass } from "../../kernel/VehicleClass.ts"
import { ProductKind } from "../products/Product.ts"

/** How long a displayed price is honoured. */
export const priceLifetime = Duration.minutes(15)

/** The price of a ride in a class, in major units, with all that is needed to compute it again. */
const RideOffer = Schema.Struct({
  of: Schema.Literal("ride"),
  vehicle_class: VehicleClass,
  total_amount: Schema.Finite,
  ride: FareRequest,
  tariff_id: TariffId,
  tariff_version: Schema.Int,
  inputs: FareInputs
})

export type RideOffer = typeof RideOffer.Type

/** The price of a product, in minor units. */
const ProductOffer = Schema.Struct({
  of: Schema.Literal("product"),
  product_id: ProductId,
  kind: ProductKind,
  price_minor: Schema.Int
})

const Offer = Schema.Union([RideOffer, ProductOffer])

/** A displayed price, with its business and the time of its display. `token_id` is random: each token is used once. */
const DisplayedPrice = Schema.Struct({
  token_id: Schema.String,
  business_id: BusinessId,
  currency: Schema.toType(Currency),
  displayed_at: Schema.Int,
  offer: Offer
})
type DisplayedPrice = typeof DisplayedPrice.Type

type AnyOffer = DisplayedPrice["offer"]

const Text = Schema.fromJsonString(DisplayedPrice)
const encode = Schema.encodeEffect(Text)
const decode = Schema.decodeUnknownEffect(Text)

const tooOld = new Conflict({
  reason: `The price was displayed more than ${Duration.toMinutes(priceLifetime)} minutes ago`,
  records: [{ type: "price_token", state: "expired" }]
})

const invalid = invalidField("price_token", "invalid")

/**
 * - `seal`: the token of a price that is displayed now.
 * - `open`: the price in a token of that business. `InvalidInput` for a text that is no token of that kind.
 * - `bookOnce`: books at the price of an opened token, unless it was booked: then it returns the record of the first
 *   booking. `Conflict` if the token is older than {@link priceLifetime}, or was used for another request than `input`.
 */
export const makePriceTokens = Effect.gen(function* () {
  const box = yield* SecretBox
  const cryptography = yield* Cryptography
  const idempotency = yield* Idempotency

  const seal = Effect.fnUntraced(function* (price: Omit<DisplayedPrice, "displayed_at" | "token_id">) {
    const displayed_at = (yield* DateTime.now).epochMilliseconds
    const token_id = Base64Url.encode(yield* cryptography.randomBytes(16))
    return yield* box.seal(yield* Effect.orDie(encode({ ...price, token_id, displayed_at })))
  })

  const decoded = (token: string) =>
    Effect.orDie(Effect.flatMap(box.open(token), decode)).pipe(
      Effect.asSome,
      // The token was altered, or is a sealed text of another kind.
      Effect.catchDefect(() => Effect.succeed(Option.none<DisplayedPrice>()))
    )

  const open = Effect.fnUntraced(function* <const Of extends AnyOffer["of"]>(
    businessId: BusinessId,
    of: Of,
    token: string
  ): Effect.fn.Return<
    Omit<DisplayedPrice, "offer"> & { readonly offer: Extract<AnyOffer, { readonly of: Of }> },
    InvalidInput
  > {
    const price = Option.getOrUndefined(yield* decoded(token))
    if (price === undefined || price.business_id !== businessId) return yield* invalid
    const { offer } = price
    if (!isOf(offer, of)) return yield* invalid
    return { ...price, offer }
  })

  const bookOnce = <A, E>(
    { business_id, displayed_at, token_id }: Omit<DisplayedPrice, "offer">,
    input: object,
    book: Effect.Effect<A, E>
  ) =>
    idempotency.once(
      { business_id, name: "price_token", key: token_id, content: JSON.stringify(input) },
      Effect.gen(function* () {
        const now = (yield* DateTime.now).epochMilliseconds
        if (now > displayed_at + Duration.toMillis(priceLifetime)) return yield* tooOld
        return yield* book
      })
    )

  return { seal, open, bookOnce }
})

const isOf = <Of extends AnyOffer["of"]>(
  offer: AnyOffer,
  of: Of
): offer is Extract<AnyOffer, { readonly of: Of }> => offer.of === of
