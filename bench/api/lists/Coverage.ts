/** Whether the benchmark measures every list of the API. */
import { lists } from "./Lists.ts"
import { platformLists } from "./PlatformLists.ts"

/** The paged lists that are short by nature: the plans of the platform, the webhook endpoints of a business, 50 at most, and
 * the templates of trips, 200 at most, the versions of one tariff, the statements of a bank with the entries of one, and the imports. */
const short: ReadonlyArray<string> = [
  "/admin/plans",
  "/webhooks",
  "/tariffs/{id}/versions",
  "/trip-templates",
  "/bank-statements",
  "/bank-statements/{id}/entries",
  "/imports"
]

/** The lines of an import, 100,000 at most: they are read after an import only, by the primary key or an index of their status. */
const seldomRead = "/imports/{id}/lines"

/** The route of a list: its name without the query and the remarks. */
const routeOf = (name: string) => name.replace(/[?,].*$/u, "")

/** The routes that the benchmark measures or leaves out with a reason. */
export const coveredRoutes: ReadonlySet<string> = new Set([
  ...lists.filter(({ body }) => body === undefined).map(({ name }) => routeOf(name)),
  ...platformLists.map(routeOf),
  ...short,
  seldomRead
])
