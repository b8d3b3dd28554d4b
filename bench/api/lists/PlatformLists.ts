/** Every list of the API that has the rows of all businesses, for super-admins. */

/** The paths; the rows that a rare value finds are a hundred on every platform. */
export const platformLists: ReadonlyArray<string> = [
  "/admin/audit",
  "/admin/audit?business_id=2",
  "/admin/audit?subject=business:2",
  "/admin/audit?action=business.suspended",
  "/admin/audit?actor=user:2",
  "/admin/audit?actor=user:1&action=business.suspended",
  "/admin/audit?subject=business:1&actor=user:2",
  "/admin/audit?business_id=1&action=business.suspended",
  "/admin/businesses",
  "/admin/businesses?search=unusual",
  "/admin/users",
  "/admin/users?account_type=S",
  "/admin/businesses?search=business",
  "/admin/users?search=unusual",
  "/admin/users?account_type=S&search=unusual",
  "/admin/users?account_type=S&search=user",
  "/admin/users?account_type=A&search=user",
  "/admin/saas-coupons",
  "/admin/saas-invoices",
  "/admin/saas-invoices?status=void",
  "/admin/saas-invoices?business_id=2",
  "/admin/saas-invoices?business_id=1&status=void"
]
