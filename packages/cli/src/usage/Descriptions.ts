/** The description of `livery`. */
export const purpose =
  "The open backend for chauffeur and ground-transport businesses. Settings are environment variables, which docs/settings.md of its source lists."

/** The description of each command. `livery --help` shows them without loading the commands. */
export const descriptions = {
  serve: "Run the API and the workers that send webhooks and mail",
  migrate: "Apply missing migrations to the database",
  doctor: "Check the database, the migrations, the secret, the storage, the rate counters, mail and payments",
  backup: "Copy the installation on the embedded database to a directory, while it runs",
  restore:
    "Restore a backup to a directory without an installation. A copy in another place sends nothing until `livery resume`",
  resume: "End the pause of webhooks, mail and reminders of a restored copy",
  export: "Write the data of one business to a file of JSON lines",
  import: "Import a business from the file of its export",
  move: "Move a business to another installation while both run",
  "import-table":
    "Import a table of customers, drivers, cars, trips, open invoices or tariffs, CSV or XLSX, into a business",
  check: "Check the stored data: money",
  demo: "Create a demonstration business with drivers, cars and trips of today. If it exists, add what is missing, a new API key, and a link that opens it in a browser",
  api: "Call any operation of the API: livery api GROUP OPERATION --field value",
  businesses: "Businesses: list, show, usage, credits, suspend, activate, update",
  users: "Users: list, show, create, reset-password, assign, unassign",
  persons: "Persons: erase a customer, a driver, a passenger or a user on request",
  plans: "Plans: list, show",
  coupons: "Coupons of the platform: list, show, create, activate, deactivate",
  invoices: "The platform's invoices to businesses: list, show, record, pay, void",
  settings: "Settings of the platform: list, set",
  audit: "The audit log: list",
  keys: "API keys of businesses: create",
  secrets: "The secret of the installation: reseal",
  webhooks: "Webhooks: deliveries, retry",
  login: "Sign in to a server, for commands with --url",
  logout: "Sign out of a server",
  listen:
    "Forward the new events of a business to a receiver on this machine, signed with LIVERY_WEBHOOK_SECRET, " +
    "or with a generated secret that is printed",
  trigger:
    "Send a test event with sample data to the endpoints of a business, or with --forward-to to a receiver on this machine",
  mcp: "Serve the tools of a running server to an assistant by the Model Context Protocol, on standard input and output"
} as const
