/** How the pages are built and served while they are written (`npm run dev:pages`). */
import { globSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vite"

const root = join(import.meta.dirname, "src")

/** The modules that every page has. */
const inFrame =
  /node_modules\/(?:preact|@preact)\/|src\/(?:shell|i18n)\/|src\/api\/(?:Api|Failure)\.ts|src\/components\/(?:EmptyState|Failed|Icon|Toast|Notice|Facts|Later)\.tsx/u

/** The modules that the first view of the booking page has, which its later parts use too. */
const inBooking = /src\/book\/(?:BookPage|Draft|Inputs|PlaceInput|Prices|Ride|state)\.tsx?$/u

/** The server whose API the development server uses. */
const server = process.env["LIVERY_SERVER"] ?? "http://127.0.0.1:3000"

export default defineConfig({
  root,
  // Relative, so that the pages also work below a path of a proxy.
  base: "./",
  appType: "mpa",
  plugins: [
    {
      name: "pages-with-a-name-in-their-path",
      configureServer: ({ middlewares }) => {
        middlewares.use((request, _response, next) => {
          if (/^\/book\/[^/.]+(?:\?|$)/u.test(request.url ?? "")) request.url = "/book/[slug].html"
          next()
        })
      }
    }
  ],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: join(import.meta.dirname, "dist/site"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: globSync("**/*.html", { cwd: root }).map((file) => join(root, file)),
      // What every page has is one file, which compresses better than several.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "frame", test: inFrame },
            { name: "book", test: inBooking }
          ]
        }
      }
    }
  },
  server: { port: 5173, proxy: { "/api": server, "/uploads": server } }
})
