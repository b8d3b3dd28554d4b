import { BookingPagePlaces, BookingPageRides, BookingPages } from "@livery/domain"
import { handlersOf } from "../http/pipeline/Handlers.ts"

export const BookingPagesHandlers = handlersOf("bookingPages", function* (handlers) {
  const pages = yield* BookingPages
  const places = yield* BookingPagePlaces
  const rides = yield* BookingPageRides
  return handlers({
    read: ({ params }) => pages.page(params.vendor_slug),
    places: ({ params, query }) => places.search(params.vendor_slug, query),
    departures: ({ params, query }) => pages.departures(params.vendor_slug, params.id, query),
    estimate: ({ params, payload }) => rides.estimate(params.vendor_slug, payload),
    requestQuote: ({ params, payload }) => pages.requestQuote(params.vendor_slug, payload),
    bookProduct: ({ params, payload }) => pages.bookProduct(params.vendor_slug, payload),
    bookTrip: ({ params, payload }) => rides.bookTrip(params.vendor_slug, payload)
  })
})
