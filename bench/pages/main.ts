/**
 * Prints the size of the client and of the first view of each page beside the limit, and the times of the page on a slow phone:
 * `npm run bench:pages`, or `npm run bench:pages -- app` for the times of one page. It fails above a limit of bytes. Times depend on the machine, so they are only printed. What a page loads
 * later, such as the form of a payment provider, does not count.
 */
import { sizes } from "./sizes.ts"
import { times } from "./times.ts"

const measured = await sizes()
const timed = await times(process.argv.slice(2))

process.stdout.write(
  "| Page | Files | Bytes (gzip) | Limit | First content (limit 1200 ms) | Ready | Key to paint (limit 50 ms) |\n" +
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)
for (const { bytes, files, limit, name } of measured) {
  const { content = "", key = "", ready = "" } = timed.get(name) ?? {}
  process.stdout.write(`| ${name} | ${files} | ${bytes} | ${limit} | ${content} | ${ready} | ${key} |\n`)
  if (bytes > limit) process.exitCode = 1
}
