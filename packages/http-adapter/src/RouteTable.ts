/** The table of the server's routes, which resolves each request once. */
import { Api } from "@livery/contract"
import { documentRoutes } from "./Documents.ts"
import { makeRoutes, routesOf } from "./http/pipeline/Routes.ts"
import { mcpRoute } from "./mcp/McpPage.ts"
import { metricsRoute } from "./monitoring/Metrics.ts"
import { servedFilesRoute } from "./uploads/ServedFiles.ts"

/** The routes of the contract. */
export const apiRoutes = routesOf(Api)

/** All routes of the server. */
export const routeTable = makeRoutes([
  ...apiRoutes,
  ...documentRoutes,
  mcpRoute,
  metricsRoute,
  servedFilesRoute
])
