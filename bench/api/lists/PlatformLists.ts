/** Every list of the API that has the rows of all businesses, for super-admins. */

/** The paths; the rows that a rare value finds are a hundred on every platform. */
export const platformLists: ReadonlyArray<string> = [
  "/admin/audit",
  "/admin/audit?business_id=2",
  "/admin/audit?subject=business:2",
  "/admin/audit?action=business.suspended",
  "/admin/audit?actor=user:2",
  "/admin/businesses",
  "/admin/businesses?search=unusual",
  "/admin/users",
  "/admin/users?account_type=S",
  "/admin/users?search=unusual",
  "/admin/saas-coupons",
  "/admin/saas-invoices",
  "/admin/saas-invoices?status=void",
  "/admin/saas-invoices?business_id=2"
]
