/** The table of the server's routes, which resolves each request once. */
import { Api } from "@livery/contract"
import { documentRoutes } from "./Documents.ts"
import { makeRoutes, type Route, type Routes, routesOf } from "./http/pipeline/Routes.ts"
import { mcpRoute } from "./mcp/McpPage.ts"
import { metricsRoute } from "./monitoring/Metrics.ts"
import { movesRoute } from "./platform/MovesPage.ts"
import { servedFilesRoute } from "./uploads/ServedFiles.ts"

/** The routes of the contract. */
export const apiRoutes = routesOf(Api)

/** All routes of a server without pages. */
export const routeTable = makeRoutes([
  ...apiRoutes,
  ...documentRoutes,
  mcpRoute,
  metricsRoute,
  movesRoute,
  servedFilesRoute
])

/** The routes of a server with these pages. A page takes the place of the route with the same path. */
export const routeTableWith = (pages: ReadonlyArray<Route>): Routes =>
  pages.length === 0 ? routeTable : makeRoutes([...routeTable.all, ...pages])
