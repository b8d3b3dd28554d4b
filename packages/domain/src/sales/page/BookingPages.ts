/** The use cases of the visitors of a business's booking page (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { CurrentActor, customerActor } from "../../kernel/CurrentActor.ts"
import { invalidField, orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import { firstCharacters } from "../../kernel/fields/Text.ts"
import { BookingId, type ProductId } from "../../kernel/Ids.ts"
import { instantOf, rfc3339 } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { TripInput } from "../../trips/trip/TripInput.ts"
import { PlaceFinder } from "../../routing/PlaceFinder.ts"
import { BookingInput, type BookingRecord } from "../bookings/Booking.ts"
import {
  type PublicBookingInput,
  type PublicBookingRecord,
  type PublicQuoteRequest,
  shownProductRecord,
  shownProfileRecord
} from "./BookingPage.ts"
import { Bookings } from "../bookings/Bookings.ts"
import { makeCustomerEmails, visitorEmailData } from "../emails/CustomerEmails.ts"
import { bookingEmailData } from "../emails/SalesEmails.ts"
import { makeDepartureList } from "../products/DepartureList.ts"
import { publicDepartureRecord } from "../products/DepartureRecord.ts"
import type { DepartureDays } from "../products/Departures.ts"
import type { Product } from "../products/Product.ts"
import { ProductRepository } from "../products/ProductRepository.ts"
import { makeOpenPage, priceValidUntil, timeIssues } from "./OpenPage.ts"
import { QuoteInput } from "../quotes/Quote.ts"
import { Quotes } from "../quotes/Quotes.ts"
import { makePaymentRequests } from "./PaymentRequests.ts"
import { makePriceTokens } from "./PriceTokens.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** The page shows at most this many products. */
const maxShownProducts = 100

export class BookingPages extends Context.Service<BookingPages>()("@livery/domain/BookingPages", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const products = yield* ProductRepository
    const bookings = yield* Bookings
    const quotes = yield* Quotes
    const priceTokens = yield* makePriceTokens

    const withEmail = yield* makeCustomerEmails

    const open = yield* makeOpenPage
    const paymentOf = yield* makePaymentRequests
    const departuresOf = yield* makeDepartureList
    const finds_places = (yield* PlaceFinder) !== undefined

    const shownProduct = Effect.fnUntraced(function* (product: Product) {
      const { business_id, currency, kind, price_minor, product_id } = product
      const price_token = yield* priceTokens.seal({
        business_id,
        currency,
        offer: { of: "product", product_id, kind, price_minor }
      })
      return { ...shownProductRecord(product), price_token, price_valid_until: yield* priceValidUntil }
    })

    const publicBooking = (booking: BookingRecord): Omit<PublicBookingRecord, "payment_hash"> => ({
      reference: booking.reference,
      status: booking.status,
      starts_at: booking.starts_at,
      ends_at: booking.ends_at,
      participants_count: booking.participants_count,
      total_amount: booking.total_amount,
      currency: booking.currency,
      expires_at: booking.expires_at
    })

    /** Books places at the price of an opened token, or at the current one. */
    const bookDisplayed = Effect.fnUntraced(function* (
      { acting, profile }: Effect.Success<ReturnType<typeof open>>,
      displayed: Effect.Success<ReturnType<typeof priceTokens.open<"product">>> | null,
      input: Omit<PublicBookingInput, "price_token">
    ) {
      const at = instantOf(input.starts_at, acting.timezone)
      const now = displayed === null ? yield* DateTime.now : DateTime.makeUnsafe(displayed.displayed_at)
      yield* refuseIssues(timeIssues(profile, "starts_at", null, { at, now }))
      const price =
        displayed === null
          ? undefined
          : {
              kind: displayed.offer.kind,
              price_minor: displayed.offer.price_minor,
              currency: displayed.currency
            }
      const book = atomically(transaction, function* () {
        const booking = yield* bookings.create(
          acting,
          BookingInput.make({ ...input, customer_id: null }),
          price
        )
        if (profile.booking_confirmation_required) return booking
        const id = BookingId.make(booking.booking_id)
        // A new booking is pending, and the transaction holds its product.
        return yield* bookings
          .confirm(acting, id, false)
          .pipe(Effect.catchTag("IllegalTransition", Effect.die))
      })
      const product = Option.getOrUndefined(yield* products.find(acting.business_id, input.product_id))
      const withConfirmation = withEmail(
        acting,
        {
          kind: "booking_confirmed",
          isRequired: false,
          recipientOf: ({ customer_email }) => customer_email,
          about: (booking) =>
            visitorEmailData(bookingEmailData(booking, product), { isDescriptionOfVisitor: false })
        },
        book
      ).pipe(Effect.catchTag("UsageLimitReached", Effect.die))
      const booking = yield* Effect.provideService(
        profile.booking_confirmation_required ? book : withConfirmation,
        CurrentActor,
        customerActor
      )
      return { booking_id: BookingId.make(booking.booking_id), record: publicBooking(booking) }
    })

    /** Books places at a displayed price, once, or at the current one. */
    const bookAt = Effect.fnUntraced(function* (
      opened: Effect.Success<ReturnType<typeof open>>,
      token: string | null,
      input: Omit<PublicBookingInput, "price_token">
    ) {
      if (token === null) return yield* bookDisplayed(opened, null, input)
      const displayed = yield* priceTokens.open(opened.acting.business_id, "product", token)
      if (displayed.offer.product_id !== input.product_id)
        return yield* invalidField("price_token", "invalid")
      return yield* priceTokens.bookOnce(displayed, input, bookDisplayed(opened, displayed, input))
    })

    return {
      /**
       * The profile of a business, and its active products with their prices and tokens. `NotFound` for a slug that no
       * active business has.
       */
      page: traced("BookingPages.page")(function* (slug: string) {
        const { profile } = yield* open(slug)
        const { items } = yield* products.list(profile.business_id, true, {
          page: 1,
          perPage: maxShownProducts
        })
        return {
          ...shownProfileRecord(profile),
          finds_places,
          products: yield* Effect.forEach(items, shownProduct)
        }
      }),

      /**
       * The departures of a tour on these days that a visitor can book, or that are full. `NotFound` also for a product that
       * is absent or inactive.
       */
      departures: traced("BookingPages.departures")(function* (
        slug: string,
        productId: ProductId,
        days: DepartureDays
      ) {
        const { acting, profile } = yield* open(slug)
        const product = yield* orNotFound("product")(
          Option.filter(yield* products.find(acting.business_id, productId), ({ active }) => active)
        )
        const now = yield* DateTime.now
        return (yield* departuresOf(product, days, acting.timezone))
          .filter(
            ({ is_cancelled, is_scheduled, starts_at }) =>
              is_scheduled &&
              !is_cancelled &&
              timeIssues(profile, "starts_at", null, { at: starts_at, now }).length === 0
          )
          .map((departure) => publicDepartureRecord(departure, acting.timezone))
      }),

      /** The origins that may show the page in a frame; none if no active business has the slug. */
      embedOrigins: traced("BookingPages.embedOrigins")((slug: string) =>
        open(slug).pipe(
          Effect.map(({ profile }) => profile.booking_page.embed_origins),
          Effect.orElseSucceed((): ReadonlyArray<string> => [])
        )
      ),

      /**
       * A ride as a draft of a quote, which the business prices. `NotFound` as for `page`; `InvalidInput` for a time
       * that has passed.
       */
      requestQuote: traced("BookingPages.requestQuote")(function* (
        slug: string,
        request: PublicQuoteRequest
      ) {
        const { acting } = yield* open(slug)
        const at = instantOf(request.trip_date, acting.timezone)
        if (at.epochMilliseconds <= (yield* DateTime.now).epochMilliseconds)
          return yield* invalidField("trip_date", "out_of_range")
        const { customer_email, customer_name, customer_phone } = request
        const { reference } = yield* quotes
          .create(
            acting,
            QuoteInput.make({
              customer_id: null,
              customer_name,
              customer_email,
              customer_phone,
              currency: null,
              valid_until: null,
              notes: null,
              items: [
                {
                  description: firstCharacters(`${request.pickup_address} – ${request.dropoff_address}`, 500),
                  trip: TripInput.make({ ...request, trip_date: rfc3339(at) }),
                  amount: null
                }
              ]
            })
          )
          .pipe(Effect.provideService(CurrentActor, customerActor))
        return { reference, requested: true as const }
      }),

      /**
       * Books places of a product, at a displayed price or at the current one. A displayed price books once: its repetition
       * returns the first booking.
       */
      bookProduct: traced("BookingPages.bookProduct")(function* (
        slug: string,
        { price_token, ...input }: PublicBookingInput
      ) {
        const opened = yield* open(slug)
        const { booking_id, record } = yield* bookAt(opened, price_token, input)
        return { ...record, payment_hash: yield* paymentOf(opened, { booking_id }) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BookingPages, BookingPages.make)
}
