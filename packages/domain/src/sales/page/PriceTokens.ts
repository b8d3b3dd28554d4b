/** Prices of a booking page in encrypted tokens, so that a displayed price is honoured for a while. */
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { FareInputs } from "../../fares/engine/FareInputs.ts"
import { FareRequest } from "../../fares/estimates/FareRequest.ts"
import { Conflict, invalidField, type InvalidInput } from "../../kernel/Errors.ts"
import { BusinessId, ProductId, TariffId } from "../../kernel/Ids.ts"
import { Currency } from "../../kernel/money/Currency.ts"
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
  ride: Schema.toType(FareRequest),
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

/** A displayed price, with its business and the time of its display. */
const DisplayedPrice = Schema.Struct({
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
  reason: `The price was displayed more than ${Duration.toMinutes(priceLifetime)} minutes ago`
})

const invalid = invalidField("price_token", "invalid")

/**
 * - `seal`: the token of a price that is displayed now.
 * - `open`: the price in a token of that business. `InvalidInput` for a text that is no token of that kind, `Conflict`
 *   for a token that is older than {@link priceLifetime}.
 */
export const makePriceTokens = Effect.map(SecretBox, (box) => {
  const seal = Effect.fnUntraced(function* (price: Omit<DisplayedPrice, "displayed_at">) {
    const displayed_at = (yield* DateTime.now).epochMilliseconds
    return yield* box.seal(yield* Effect.orDie(encode({ ...price, displayed_at })))
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
    InvalidInput | Conflict
  > {
    const price = Option.getOrUndefined(yield* decoded(token))
    if (price === undefined || price.business_id !== businessId) return yield* invalid
    const { offer } = price
    if (!isOf(offer, of)) return yield* invalid
    const now = (yield* DateTime.now).epochMilliseconds
    if (now > price.displayed_at + Duration.toMillis(priceLifetime)) return yield* tooOld
    return { ...price, offer }
  })

  return { seal, open }
})

const isOf = <Of extends AnyOffer["of"]>(
  offer: AnyOffer,
  of: Of
): offer is Extract<AnyOffer, { readonly of: Of }> => offer.of === of
