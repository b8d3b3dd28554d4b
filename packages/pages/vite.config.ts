/** How the pages are built and served while they are written (`npm run dev:pages`). */
import { globSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vite"

const root = join(import.meta.dirname, "src")

/** The modules that the first view of the booking page has, which its later parts use too. */
const inBooking = /src\/book\/(?:BookPage|Draft|Inputs|PlaceInput|Ride|state)\.tsx?$/u

/** The frame of the office and its client, which every screen of it needs. */
const inOffice = /packages\/client\/|src\/app\/(?:(?!main)\w+\.tsx?|parts\/(?:AppIcon|Waiting)\.tsx)$/u

/** The parts of the office that its first screen, the board, shares with most others. */
const inScreens =
  /src\/app\/(?:Formats\.ts|parts\/(?:AnswerChip|Ask|Confirm|FlightChip|ImportLink|Keys|Page|Record|TemplateChoice|Views|Wide|WrongFields)\.tsx?)$/u

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
          // The office is one page at many addresses.
          if (/^\/app(?:\/[^.]*)?(?:\?|$)/u.test(request.url ?? "")) request.url = "/app.html"
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
    modulePreload: {
      polyfill: false,
      // The import of a module itself is as early as its preload, unless it waits for styles: a second name of it takes room only.
      resolveDependencies: (module, needed) =>
        needed.some((file) => file.endsWith(".css")) ? needed : needed.filter((file) => file !== module)
    },
    reportCompressedSize: false,
    license: { fileName: "licenses.txt" },
    rolldownOptions: {
      input: globSync("**/*.html", { cwd: root }).map((file) => join(root, file)),
      // What every screen needs is one file: many small ones compress worse, and each has its imports.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // The reference for developers needs these alone.
            { name: "preload", test: /vite\/preload-helper/u, priority: 1 },
            { name: "styles", test: /src\/styles/u, priority: 1 },
            {
              name: "base",
              test: /preact|src\/(?:shell|i18n\/(?:Format|Language|Languages)|api\/(?:Api|Failure|Key|Person)|components\/(?:EmptyState|Failed|Icon|Later|Notice|Time|Toast))\b/u
            },
            { name: "values", test: /src\/(?:i18n\/(?:Digits|Numbers)|components\/Facts)\b/u },
            { name: "book", test: inBooking, priority: -1 },
            { name: "drive", test: /src\/drive\/(?!main|DrivePage|Store)\w+\.tsx?$/u, priority: -1 },
            { name: "office", test: inOffice, priority: -1 },
            { name: "parts", test: inScreens, priority: -1 },
            { name: "board", test: /src\/app\/board\/(?!Tour|words)[\w/]+\.tsx?$/u, priority: -1 }
          ]
        }
      }
    }
  },
  // Without a search, the development server knows the packages at once, and loads no page twice.
  optimizeDeps: {
    noDiscovery: true,
    include: [
      "@preact/signals",
      "preact",
      "preact/hooks",
      "preact/jsx-dev-runtime",
      "preact/jsx-runtime",
      "uqr"
    ]
  },
  // The folder `src/api` is served at `/api` too, so that only the API's own paths go to the server.
  server: { port: 5173, proxy: { "/api/v1": server, "/uploads": server } }
})
