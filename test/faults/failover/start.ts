/**
 * Starts the cluster of the fail-over tests and prints its addresses; it ends with Ctrl-C:
 *
 *     node --conditions=@livery/source test/faults/failover/start.ts
 */
import { missingPackages, startCluster } from "./Cluster.ts"

if (missingPackages.length > 0) {
  process.stderr.write(`Install Debian's packages ${missingPackages.join(", ")}\n`)
  process.exit(1)
}
// Until the cluster has started, an exit ends its processes; its files stay in the temporary directory.
let end = (): void => process.exit(1)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end())
const cluster = await startCluster()
end = () => void cluster.stop().then(() => process.exit(0))
process.stdout.write(`DATABASE_URL=${cluster.url} DATABASE_PREPARE=false
Files and logs: ${cluster.directory}
The primary through HAProxy: ${cluster.primaryUrl}
${cluster.nodes.map(({ name, url }) => `${name}: ${url}`).join("\n")}
`)
