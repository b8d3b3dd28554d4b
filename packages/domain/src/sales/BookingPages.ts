/** The use cases of the visitors of a business's booking page (docs/api/sales.md). */
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { FareEstimates } from "../fares/FareEstimates.ts"
import { type ConfirmationRequired, type Conflict, InvalidInput, NotFound } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { BookingId } from "../kernel/Ids.ts"
import { Currency } from "../kernel/money/Currency.ts"
import { instantOf, rfc3339 } from "../kernel/time/WallClock.ts"
import { Transaction } from "../kernel/Transaction.ts"
import type { VehicleClass } from "../kernel/VehicleClass.ts"
import { isInTime, isOpenAt, isPricedManually } from "../settings/BookingPageSettings.ts"
import { type BusinessProfile, VendorSlug } from "../settings/BusinessProfile.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { TripInput } from "../trips/TripInput.ts"
import { Trips } from "../trips/Trips.ts"
import { BookingInput, type BookingRecord } from "./Booking.ts"
import {
  type BookingPageRecord,
  type PublicBookingInput,
  type PublicBookingRecord,
  type PublicEstimateRecord,
  type PublicEstimateRequest,
  type PublicQuoteRequest,
  type PublicTripInput,
  type PublicTripRecord,
  type RequestedQuoteRecord,
  shownProfileRecord
} from "./BookingPage.ts"
import { Bookings } from "./Bookings.ts"
import { makeCustomerEmails } from "./CustomerEmails.ts"
import { aboutBooking } from "./CustomerNotices.ts"
import { type Product, productRecord } from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { QuoteInput } from "./Quote.ts"
import { Quotes } from "./Quotes.ts"
import { makeSignedPrices, priceLifetime } from "./SignedPrices.ts"

/** Whether the visitor decides how long a ride takes. That of any other is measured: a visitor could lower the price. */
const isPricedByTime = ({ trip_type }: PublicEstimateRequest) =>
  trip_type === "hourly" || trip_type === "event"

/** The page shows at most this many products. */
const maxShownProducts = 100

const refused = (field: string, issue: FieldIssue["issue"]) =>
  new InvalidInput({ issues: [{ field, issue }] })

/**
 * - `page`: the profile of a business, and its active products with their signed prices.
 * - `estimate`: the signed prices of a ride in each class that can be booked, and why the others cannot.
 * - `requestQuote`: a ride as a draft of a quote, which the business prices.
 * - `bookTrip`: books a ride at a signed price.
 * - `bookProduct`: books places of a product, at a signed price or at the current one.
 *
 * What is booked is confirmed at once, unless the business has yet to confirm it. `NotFound` for a slug that no active
 * business has. `InvalidInput` for a time outside of the opening hours, on a black-out date or too soon, and for a token
 * that the page did not display; `Conflict` for a price that was displayed more than 15 minutes ago.
 */
export class BookingPages extends Context.Service<
  BookingPages,
  {
    readonly page: (slug: string) => Effect.Effect<BookingPageRecord, NotFound>
    readonly estimate: (
      slug: string,
      request: PublicEstimateRequest
    ) => Effect.Effect<PublicEstimateRecord, NotFound | InvalidInput>
    readonly requestQuote: (
      slug: string,
      request: PublicQuoteRequest
    ) => Effect.Effect<RequestedQuoteRecord, NotFound | InvalidInput>
    readonly bookTrip: (
      slug: string,
      input: PublicTripInput
    ) => Effect.Effect<PublicTripRecord, NotFound | InvalidInput | Conflict | ConfirmationRequired>
    readonly bookProduct: (
      slug: string,
      input: PublicBookingInput
    ) => Effect.Effect<PublicBookingRecord, NotFound | InvalidInput | Conflict | ConfirmationRequired>
  }
>()("@livery/domain/BookingPages") {
  static readonly layer = Layer.effect(
    BookingPages,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const profiles = yield* BusinessProfileRepository
      const businesses = yield* BusinessRepository
      const products = yield* ProductRepository
      const estimates = yield* FareEstimates
      const trips = yield* Trips
      const bookings = yield* Bookings
      const quotes = yield* Quotes
      const prices = yield* makeSignedPrices

      const withEmail = yield* makeCustomerEmails

      const notFound = new NotFound({ resource: "business" })

      /** The address for the email of what is confirmed at once; null if the business has yet to confirm it. */
      const emailOf = (
        { booking_confirmation_required }: BusinessProfile,
        { customer_email }: { readonly customer_email: string | null }
      ) => (booking_confirmation_required ? null : customer_email)

      const open = Effect.fnUntraced(function* (slug: string) {
        // No other text can be a slug, and PostgreSQL refuses some of them.
        const wanted = Schema.decodeUnknownOption(VendorSlug)(slug.toLowerCase())
        if (Option.isNone(wanted)) return yield* notFound
        const profile = Option.getOrUndefined(yield* profiles.findBySlug(wanted.value))
        if (profile === undefined) return yield* notFound
        const business = Option.getOrUndefined(yield* businesses.find(profile.business_id))
        if (business === undefined || business.status !== "A") return yield* notFound
        return { acting: ActingBusiness.make(business), profile }
      })

      /** The issue of a time that the business takes no bookings for. `now` is when the price was displayed. */
      const timeIssues = (
        { booking_page, timezone }: BusinessProfile,
        field: string,
        vehicleClass: VehicleClass | null,
        times: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
      ): ReadonlyArray<FieldIssue> =>
        isInTime(booking_page, vehicleClass, times) && isOpenAt(booking_page, times.at, timezone)
          ? []
          : [{ field, issue: "out_of_range" }]

      const validUntil = Effect.map(DateTime.now, (now) => rfc3339(DateTime.addDuration(now, priceLifetime)))

      const shownProduct = Effect.fnUntraced(function* (product: Product) {
        const { business_id, currency, kind, price_minor, product_id } = product
        const {
          active: _active,
          capacity: _capacity,
          created_at: _created,
          updated_at: _updated,
          ...shown
        } = productRecord(product)
        const price_token = yield* prices.sign({
          business_id,
          currency,
          offer: { of: "product", product_id, kind, price_minor }
        })
        return { ...shown, price_token, price_valid_until: yield* validUntil }
      })

      const page = Effect.fn("BookingPages.page")(function* (slug: string) {
        const { profile } = yield* open(slug)
        const { items } = yield* products.list(profile.business_id, true, {
          page: 1,
          perPage: maxShownProducts
        })
        return { ...shownProfileRecord(profile), products: yield* Effect.forEach(items, shownProduct) }
      })

      const estimate = Effect.fn("BookingPages.estimate")(function* (
        slug: string,
        request: PublicEstimateRequest
      ) {
        const { acting, profile } = yield* open(slug)
        const times = { at: instantOf(request.trip_date, acting.timezone), now: yield* DateTime.now }
        // Written as an instant, so that a booking means the same one if the business changes its clock meanwhile.
        const ride = {
          ...request,
          trip_date: rfc3339(times.at),
          distance_m: null,
          duration_minutes: isPricedByTime(request) ? request.duration_minutes : null
        }
        if (
          times.at.epochMilliseconds <= times.now.epochMilliseconds ||
          !isOpenAt(profile.booking_page, times.at, acting.timezone)
        )
          return yield* refused("trip_date", "out_of_range")
        const found = yield* estimates.estimate(acting, { tariff_id: null, ...ride }).pipe(
          // A business without a tariff prices every ride itself.
          Effect.catchTag("InvalidInput", () => Effect.succeed(null))
        )
        if (found === null) return { currency: acting.currency, fares: [], unavailable: [] }
        const isManual = isPricedManually(profile.booking_page, times)
        const reasonOf = (vehicleClass: VehicleClass) => {
          if (!isInTime(profile.booking_page, vehicleClass, times)) return "too_late" as const
          return isManual ? ("on_request" as const) : undefined
        }
        const currency = Currency.make(found.currency)
        const price_valid_until = yield* validUntil
        const bookable = found.fares.filter(({ vehicle_class }) => reasonOf(vehicle_class) === undefined)
        const fares = yield* Effect.forEach(bookable, ({ tax_amount, total_amount, vehicle_class }) =>
          Effect.map(
            prices.sign({
              business_id: acting.business_id,
              currency,
              offer: { of: "ride", vehicle_class, total_amount, ride }
            }),
            (price_token) => ({ vehicle_class, total_amount, tax_amount, price_token, price_valid_until })
          )
        )
        const others = found.fares.flatMap(({ vehicle_class }) => {
          const reason = reasonOf(vehicle_class)
          return reason === undefined ? [] : [{ vehicle_class, reason }]
        })
        return { currency, fares, unavailable: [...others, ...found.unavailable] }
      })

      const requestQuote = Effect.fn("BookingPages.requestQuote")(function* (
        slug: string,
        request: PublicQuoteRequest
      ) {
        const { acting } = yield* open(slug)
        const at = instantOf(request.trip_date, acting.timezone)
        if (at.epochMilliseconds <= (yield* DateTime.now).epochMilliseconds)
          return yield* refused("trip_date", "out_of_range")
        const { customer_email, customer_name, customer_phone } = request
        const { reference } = yield* quotes.create(
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
                description: `${request.pickup_address} – ${request.dropoff_address}`.slice(0, 500),
                trip: TripInput.make({ ...request, trip_date: rfc3339(at) }),
                amount: null
              }
            ]
          })
        )
        return { reference, requested: true as const }
      })

      const bookTrip = Effect.fn("BookingPages.bookTrip")(function* (slug: string, input: PublicTripInput) {
        const { acting, profile } = yield* open(slug)
        const { price_token, trip_date, ...given } = input
        const { currency, displayed_at, offer } = yield* prices.read(acting.business_id, "ride", price_token)
        const { ride, vehicle_class } = offer
        const at = instantOf(ride.trip_date, acting.timezone)
        const isSame =
          trip_date === null ||
          instantOf(trip_date, acting.timezone).epochMilliseconds === at.epochMilliseconds
        const issues = isSame
          ? timeIssues(profile, "trip_date", vehicle_class, { at, now: DateTime.makeUnsafe(displayed_at) })
          : [{ field: "trip_date", issue: "invalid" as const }]
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        const booking = trips.create(
          acting,
          TripInput.make({
            ...given,
            trip_date: ride.trip_date,
            trip_type: ride.trip_type,
            duration_minutes: ride.duration_minutes,
            distance_m: ride.distance_m,
            pickup_postal_code: ride.pickup_postal_code,
            pickup_lat: ride.pickup_lat,
            pickup_lng: ride.pickup_lng,
            dropoff_postal_code: ride.dropoff_postal_code,
            dropoff_lat: ride.dropoff_lat,
            dropoff_lng: ride.dropoff_lng,
            participants_count: ride.participants_count,
            luggage_count: ride.luggage_count,
            child_seats: ride.child_seats.filter(({ count }) => count > 0),
            vehicle_class,
            total_amount: offer.total_amount,
            currency
          }),
          { confirmationRequired: profile.booking_confirmation_required }
        )
        const booked = yield* withEmail(
          acting,
          { kind: "booking_confirmed", to: emailOf(profile, input), isRequired: false },
          booking,
          ({ customer_name, reference, total_amount }) => ({
            reference,
            customer_name,
            description: `${input.pickup_address} – ${input.dropoff_address}`,
            total_amount,
            currency,
            starts_at: ride.trip_date,
            ends_at: rfc3339(DateTime.addDuration(at, Duration.minutes(ride.duration_minutes ?? 60))),
            location: input.pickup_address
          })
        ).pipe(Effect.catchTag("UsageLimitReached", Effect.die))
        return {
          reference: booked.reference,
          status: booked.status,
          trip_date: booked.trip_date,
          pickup_at: booked.pickup_at,
          pickup_address: booked.pickup_address,
          dropoff_address: booked.dropoff_address,
          vehicle_class: booked.vehicle_class,
          total_amount: booked.total_amount,
          currency: booked.currency
        }
      })

      const publicBooking = (booking: BookingRecord): PublicBookingRecord => ({
        reference: booking.reference,
        status: booking.status,
        starts_at: booking.starts_at,
        ends_at: booking.ends_at,
        participants_count: booking.participants_count,
        total_amount: booking.total_amount,
        currency: booking.currency,
        expires_at: booking.expires_at
      })

      const bookProduct = Effect.fn("BookingPages.bookProduct")(function* (
        slug: string,
        { price_token, ...input }: PublicBookingInput
      ) {
        const { acting, profile } = yield* open(slug)
        const signed =
          price_token === null ? null : yield* prices.read(acting.business_id, "product", price_token)
        if (signed !== null && signed.offer.product_id !== input.product_id)
          return yield* refused("price_token", "invalid")
        const at = instantOf(input.starts_at, acting.timezone)
        const now = signed === null ? yield* DateTime.now : DateTime.makeUnsafe(signed.displayed_at)
        const issues = timeIssues(profile, "starts_at", null, { at, now })
        if (issues.length > 0) return yield* new InvalidInput({ issues })
        const price =
          signed === null
            ? undefined
            : { kind: signed.offer.kind, price_minor: signed.offer.price_minor, currency: signed.currency }
        const booked = transaction.run(
          Effect.gen(function* () {
            const made = yield* bookings.create(
              acting,
              BookingInput.make({ ...input, customer_id: null }),
              price
            )
            if (profile.booking_confirmation_required) return made
            const id = BookingId.make(made.booking_id)
            // A new booking is pending, and the transaction holds its product.
            return yield* bookings
              .confirm(acting, id, false)
              .pipe(Effect.catchTag("IllegalTransition", Effect.die))
          })
        )
        const found = Option.getOrUndefined(yield* products.find(acting.business_id, input.product_id))
        return publicBooking(
          yield* withEmail(
            acting,
            { kind: "booking_confirmed", to: emailOf(profile, input), isRequired: false },
            booked,
            (booking) => aboutBooking(booking, found)
          ).pipe(Effect.catchTag("UsageLimitReached", Effect.die))
        )
      })

      return BookingPages.of({ page, estimate, requestQuote, bookTrip, bookProduct })
    })
  )
}
