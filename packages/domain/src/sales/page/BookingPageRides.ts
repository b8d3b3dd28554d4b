/** Rides on a business's booking page: their prices, and booking them (docs/api/sales.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { FareEstimates, isTariffMissing } from "../../fares/estimates/FareEstimates.ts"
import { type EstimateRecord } from "../../fares/estimates/Estimate.ts"
import type { FareRequest } from "../../fares/estimates/FareRequest.ts"
import { TripFares } from "../../fares/trips/TripFares.ts"
import { invalidField, refuseIssues } from "../../kernel/Errors.ts"
import { CurrentActor, customerActor } from "../../kernel/CurrentActor.ts"
import { TariffId, TripId } from "../../kernel/Ids.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { instantOf, rfc3339 } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { isOpenAt } from "../../settings/BookingPageSettings.ts"
import { Tracking } from "../../tracking/Tracking.ts"
import { Trips } from "../../trips/Trips.ts"
import type { PublicEstimateRequest, PublicTripInput } from "./BookingPage.ts"
import { makeCustomerEmails, visitorEmailData } from "../emails/CustomerEmails.ts"
import { makeOpenPage, notBookableReason, priceValidUntil, timeIssues } from "./OpenPage.ts"
import { makePaymentRequests } from "./PaymentRequests.ts"
import { makePriceTokens, type RideOffer } from "./PriceTokens.ts"
import { publicTripRecord, tripInputOf } from "./PublicRide.ts"
import { tripEmailData } from "../emails/TripEmails.ts"
import { isTimed } from "../../fares/engine/BasePrice.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/**
 * Whether the visitor chooses the duration of a ride. The duration of any other ride is measured, because a visitor
 * could lower the price by sending one.
 */
const hasChosenDuration = ({ trip_type }: PublicEstimateRequest) => isTimed(trip_type)

export class BookingPageRides extends Context.Service<BookingPageRides>()("@livery/domain/BookingPageRides", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const estimates = yield* FareEstimates
    const fares = yield* TripFares
    const trips = yield* Trips
    const tracking = yield* Tracking
    const priceTokens = yield* makePriceTokens
    const withEmail = yield* makeCustomerEmails
    const open = yield* makeOpenPage
    const paymentOf = yield* makePaymentRequests

    /** Seals the displayed price of a vehicle class, with which the visitor can book it. */
    const sealPrice = (
      { business_id }: ActingBusiness,
      ride: FareRequest,
      { currency, inputs, tariff_id, tariff_version }: EstimateRecord,
      { total_amount, vehicle_class }: EstimateRecord["fares"][number]
    ) =>
      priceTokens.seal({
        business_id,
        currency: Currency.make(currency),
        offer: {
          of: "ride",
          vehicle_class,
          total_amount,
          ride,
          tariff_id: TariffId.make(tariff_id),
          tariff_version,
          inputs
        }
      })

    const estimate = traced("BookingPageRides.estimate")(function* (
      slug: string,
      request: PublicEstimateRequest
    ) {
      const { acting, profile } = yield* open(slug)
      const times = { at: instantOf(request.trip_date, acting.timezone), now: yield* DateTime.now }
      // Written as an instant, so that the time of the ride stays the same if the business changes its time zone
      // meanwhile.
      const ride = {
        ...request,
        trip_date: rfc3339(times.at),
        distance_m: null,
        tolls_amount: null,
        waiting_minutes: null,
        duration_minutes: hasChosenDuration(request) ? request.duration_minutes : null
      }
      if (
        times.at.epochMilliseconds <= times.now.epochMilliseconds ||
        !isOpenAt(profile.booking_page, times.at, acting.timezone)
      )
        return yield* invalidField("trip_date", "out_of_range")
      const estimate = yield* estimates
        .estimate(acting, { tariff_id: null, customer_id: null, ...ride })
        .pipe(
          // A business without a tariff prices every ride itself.
          Effect.catchIf(isTariffMissing, () => Effect.succeed(null))
        )
      if (estimate === null) return { currency: acting.currency, fares: [], unavailable: [] }
      const reasonOf = (fare: EstimateRecord["fares"][number]) => notBookableReason(profile, fare, times)
      const currency = Currency.make(estimate.currency)
      const price_valid_until = yield* priceValidUntil
      const bookable = estimate.fares.filter((fare) => reasonOf(fare) === undefined)
      const fares = yield* Effect.forEach(bookable, (fare) => {
        const { tax_amount, total_amount, vehicle_class } = fare
        return Effect.map(sealPrice(acting, ride, estimate, fare), (price_token) => ({
          vehicle_class,
          total_amount,
          tax_amount,
          price_token,
          price_valid_until
        }))
      })
      const others = estimate.fares.flatMap((fare) => {
        const reason = reasonOf(fare)
        return reason === undefined ? [] : [{ vehicle_class: fare.vehicle_class, reason }]
      })
      return { currency, fares, unavailable: [...others, ...estimate.unavailable] }
    })

    /** Books the trip of a displayed price, with the fare that the price was computed from. */
    const bookAt = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      { inputs, tariff_id, tariff_version, vehicle_class }: RideOffer,
      currency: Currency,
      create: ReturnType<typeof trips.create>
    ) {
      // The version existed when the price was sealed, and versions are never deleted.
      const computed = yield* Effect.orDie(
        estimates.computeAgain(acting.business_id, { tariff_id, version: tariff_version }, inputs)
      )
      return yield* atomically(transaction, function* () {
        const booked = yield* create
        const fare = computed.fares.find((each) => each.vehicle_class === vehicle_class)
        if (fare !== undefined)
          yield* fares.attach({
            business_id: acting.business_id,
            trip_id: TripId.make(booked.trip_id),
            tariff_id,
            tariff_version,
            currency,
            quoted: { engine_version: computed.engine_version, inputs, fare }
          })
        return booked
      })
    })

    /** Books the ride of an opened token. */
    const bookPriced = Effect.fnUntraced(function* (
      { acting, profile }: Effect.Success<ReturnType<typeof open>>,
      { currency, displayed_at, offer }: Effect.Success<ReturnType<typeof priceTokens.open<"ride">>>,
      { trip_date, ...given }: Omit<PublicTripInput, "price_token">
    ) {
      const { ride, vehicle_class } = offer
      const at = instantOf(ride.trip_date, acting.timezone)
      const isSameTime =
        trip_date === null || instantOf(trip_date, acting.timezone).epochMilliseconds === at.epochMilliseconds
      const issues = isSameTime
        ? timeIssues(profile, "trip_date", vehicle_class, { at, now: DateTime.makeUnsafe(displayed_at) })
        : [{ field: "trip_date", issue: "invalid" as const }]
      yield* refuseIssues(issues)
      const create = trips.create(acting, tripInputOf(given, offer, currency), {
        confirmationRequired: profile.booking_confirmation_required
      })
      const step = bookAt(acting, offer, currency, create)
      const withConfirmation = withEmail(
        acting,
        {
          kind: "booking_confirmed",
          isRequired: false,
          recipientOf: ({ customer_email }) => customer_email,
          about: (trip) => visitorEmailData(tripEmailData(acting, trip), { isDescriptionOfVisitor: true })
        },
        step
      ).pipe(Effect.catchTag("UsageLimitReached", Effect.die))
      const booked = yield* Effect.provideService(
        profile.booking_confirmation_required ? step : withConfirmation,
        CurrentActor,
        customerActor
      )
      const token = yield* tracking.share(acting, TripId.make(booked.trip_id))
      const trip_id = TripId.make(booked.trip_id)
      return { trip_id, record: publicTripRecord(booked, currency, token) }
    })

    return {
      /**
       * The prices of a ride, with their tokens, in each class that can be booked, and why the others cannot.
       * `NotFound` for a slug that no active business has; `InvalidInput` for a time that has passed or is outside of
       * the opening hours.
       */
      estimate,

      /**
       * Books a ride at a displayed price, once: its repetition returns the first booking. The trip keeps the fare, and is
       * charged by it when it ends. If the business asks for payment, the record has the hash of the invoice.
       */
      bookTrip: traced("BookingPageRides.bookTrip")(function* (slug: string, input: PublicTripInput) {
        const { acting, profile } = yield* open(slug)
        const { price_token, ...request } = input
        const price = yield* priceTokens.open(acting.business_id, "ride", price_token)
        const { record, trip_id } = yield* priceTokens.bookOnce(
          price,
          request,
          bookPriced({ acting, profile }, price, request)
        )
        return { ...record, payment_hash: yield* paymentOf({ acting, profile }, { trip_id }) }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(BookingPageRides, BookingPageRides.make)
}
