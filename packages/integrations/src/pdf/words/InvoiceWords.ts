/** The fixed words of an invoice in one language. `{…}` stands for a value. */

/** The words that every language has. */
export interface InvoiceWords {
  readonly invoice: string
  readonly creditNote: string
  readonly from: string
  readonly billTo: string
  readonly number: string
  readonly issued: string
  readonly due: string
  readonly servicePeriod: string
  readonly poNumber: string
  readonly costCenter: string
  readonly corrects: string
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  /** The name of the tax: value added tax where the seller is in Europe. */
  readonly vat: string
  readonly amount: string
  readonly subtotal: string
  /** In the place of `subtotal` if prices contain the tax: the sum without tax. */
  readonly net: string
  /** In the place of `unitPrice` and `amount` if these name the amount without tax, and prices contain it. */
  readonly columnsWithTax?: { readonly unitPrice: string; readonly amount: string }
  /** `{rate}`, of a line whose price contains the tax. */
  readonly taxIncluded: string
  /** `{tax}`, `{rate}`, `{amount}`. */
  readonly taxOn: string
  readonly total: string
  readonly paid: string
  readonly amountDue: string
  /** In the place of `amountDue` on a credit note. */
  readonly amountCredited: string
  readonly scanToPay: string
  readonly payOnline: string
  readonly bankTransfer: string
  readonly accountHolder: string
  readonly bank: string
  readonly reference: string
  readonly notes: string
  /** `{page}`, `{pages}`. */
  readonly page: string
  readonly vatId: string
  readonly taxNumber: string
  readonly stampVoid: string
  readonly stampPaid: string
  readonly exempt: string
  readonly reverseCharge: string
  readonly outsideScope: string
}
