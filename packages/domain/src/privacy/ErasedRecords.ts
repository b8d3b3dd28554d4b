/** The values that replace the personal fields of a record. Those of a trip are in `TripWithoutPerson.ts`. */
import { customerFields } from "../customers/Customer.ts"
import { driverFields } from "../fleet/drivers/Driver.ts"
import { userFields } from "../identity/users/User.ts"
import { erasedOf, erasedText } from "../kernel/fields/Personal.ts"
import { bookingFields } from "../sales/bookings/Booking.ts"
import { quoteFields } from "../sales/quotes/Quote.ts"
import { quoteItemFields } from "../sales/quotes/QuoteItem.ts"

/** Of a customer. */
export const erasedCustomer = erasedOf(customerFields)

/** Of a driver. */
export const erasedDriver = erasedOf(driverFields)

/** Of a quote; its link ends. */
export const erasedQuote = {
  ...erasedOf(quoteFields),
  customer_id: null,
  customer_name: erasedText,
  token_hash: null
}

/** Of an item of a quote. */
export const erasedQuoteItem = erasedOf(quoteItemFields)

/** Of a booking. */
export const erasedBooking = { ...erasedOf(bookingFields), customer_id: null, customer_name: erasedText }

/** Of a user, whose email no mail server can reach. */
export const erasedUser = erasedOf(userFields)
