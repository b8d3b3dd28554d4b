// Written by scripts/client.ts from the OpenAPI document. Do not edit: run `npm run client:write`.

import type { Call, CallOptions, EventPagination, List, StreamEvent } from "../Calls.ts"

/** The operations of the API, in groups. */
export interface Operations {
  /** Authentication */
  readonly auth: {
    /** Sign up: a user and a business on the default plan. Callers: anyone. */
    register(input: AuthRegisterInput, options?: CallOptions): Call<Registration>
    /** Verify an email address with the code that was mailed to it. Callers: anyone. */
    verifyEmail(input: AuthVerifyEmailInput, options?: CallOptions): Call<Verification>
    /** Sign in with email and password. Callers: anyone. */
    login(input: AuthLoginInput, options?: CallOptions): Call<Login>
    /** Sign in with an identity provider's ID token. Callers: anyone. */
    signInWithProvider(input: AuthSignInWithProviderInput, options?: CallOptions): Call<ProviderReturn>
    /** List the identity providers with which a browser can sign in by redirect. Callers: anyone. */
    listProviders(input?: undefined, options?: CallOptions): Call<OfferedProviders[]>
    /** Begin a sign-in by redirect: the provider's address, and a cookie for the return. Callers: anyone. */
    beginWithProvider(input: AuthBeginWithProviderInput, options?: CallOptions): Call<ProviderRedirect>
    /** Finish a sign-in by redirect with what the provider sent back. Callers: anyone. */
    finishWithProvider(input: AuthFinishWithProviderInput, options?: CallOptions): Call<ProviderReturn>
    /** Sign in to the demonstration business with the code that the server printed: once, within 15 minutes, on its own machine. Callers: anyone. */
    openDemonstration(input: AuthVerifyEmailInput, options?: CallOptions): Call<Login>
    /** Exchange a refresh token for a new pair of tokens. Callers: anyone. */
    refresh(input?: {
      refresh_token?: string | null | undefined
    }, options?: CallOptions): Call<Refresh>
    /** End the session of a refresh token, or of the access token that is sent as Bearer. Callers: a signed-in user. */
    logout(input?: {
      refresh_token?: string | null | undefined
    }, options?: CallOptions): Call<Logout>
    /** Mail a code to set a new password, if the account exists. Callers: anyone. */
    requestReset(input: AuthRequestResetInput, options?: CallOptions): Call<Sending>
    /** Set a new password with the mailed code, and end every session. Callers: anyone. */
    confirmReset(input: AuthConfirmResetInput, options?: CallOptions): Call<Reset>
    /** Accept an invitation as a driver or a member with the mailed code; creates the account if there is none. Callers: anyone. */
    acceptInvitation(input: AuthAcceptInvitationInput, options?: CallOptions): Call<InvitationAccepted>
    /** Mail a new verification code, if the address is not verified. Callers: anyone. */
    resendVerification(input: AuthRequestResetInput, options?: CallOptions): Call<Sending>
  }
  /** Current user */
  readonly me: {
    /** The signed-in user. Callers: a signed-in user. */
    read(input?: undefined, options?: CallOptions): Call<User>
    /** Change the signed-in user's name or phone number. Callers: a signed-in user. */
    change(input: MeChangeInput, options?: CallOptions): Call<User>
    /** Set a new password, and end every other session. Callers: a signed-in user. */
    changePassword(input: MeChangePasswordInput, options?: CallOptions): Call<PasswordChange>
    /** The businesses that the signed-in user may act for. Callers: a signed-in user. */
    listBusinesses(input?: undefined, options?: CallOptions): Call<BusinessSummaries[]>
    /** Create a business, whose first member is the signed-in user. Callers: a signed-in user. */
    createBusiness(input: MeCreateBusinessInput, options?: CallOptions): Call<Business>
    /** Create an API key of the acting business; only this response has it in full. Callers: a signed-in user. Roles of members: owner. */
    createApiKey(input?: undefined, options?: CallOptions): Call<CreatedApiKey>
    /** The acting business's API keys, masked. Callers: a signed-in user. Roles of members: owner, accountant. */
    listApiKeys(input?: undefined, options?: CallOptions): Call<ApiKeys[]>
    /** Delete an API key of the acting business, given in full. Callers: a signed-in user. Roles of members: owner. */
    deleteApiKey(input: MeDeleteApiKeyInput, options?: CallOptions): Call<Deletion>
    /** The views of screens that the signed-in user saved, by screen and name. Callers: a signed-in user. */
    listViews(input?: undefined, options?: CallOptions): Call<SavedView[]>
    /** Save a view of a screen: its name and its filters. Callers: a signed-in user. */
    saveView(input: MeSaveViewInput, options?: CallOptions): Call<SavedView>
    /** Change a view of the signed-in user. Callers: a signed-in user. */
    changeView(input: { id: number } & MeChangeViewInput, options?: CallOptions): Call<SavedView>
    /** Delete a view of the signed-in user. Callers: a signed-in user. */
    deleteView(input: { id: number }, options?: CallOptions): Call<Deletion>
    /** How the signed-in user wants the screens: language, theme, layout of the board. Callers: a signed-in user. */
    readPreferences(input?: undefined, options?: CallOptions): Call<Preferences>
    /** Change preferences of the signed-in user. Callers: a signed-in user. */
    changePreferences(input: MeChangePreferencesInput, options?: CallOptions): Call<Preferences>
    /** Register or update a device for push messages. Callers: a signed-in user. */
    registerDevice(input: MeRegisterDeviceInput, options?: CallOptions): Call<Device>
    /** The signed-in user's devices. Callers: a signed-in user. */
    listDevices(input?: undefined, options?: CallOptions): Call<Device[]>
    /** Unregister one of the signed-in user's devices. Callers: a signed-in user. */
    unregisterDevice(input: MeUnregisterDeviceInput, options?: CallOptions): Call<Deletion>
  }
  /** Business */
  readonly business: {
    /** Whether the credential works, for which business, and what it may do there. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    ping(input?: undefined, options?: CallOptions): Call<Ping>
    /** The acting business. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input?: undefined, options?: CallOptions): Call<Business>
  }
  /** Staff */
  readonly staff: {
    /** The members of the business with their roles, the oldest account first. Callers: a signed-in user. Roles of members: owner, accountant. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Member>
    /** Invite a member by email; the mailed code replaces an earlier one. Callers: a signed-in user. Roles of members: owner. */
    invite(input: StaffInviteInput, options?: CallOptions): Call<MemberInvited>
    /** The invitations that can still be accepted, by address. Callers: a signed-in user. Roles of members: owner, accountant. */
    invitations(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<MemberInvitation>
    /** Revoke the invitation to an address; its code becomes invalid. Callers: a signed-in user. Roles of members: owner. */
    revoke(input: AuthRequestResetInput, options?: CallOptions): Call<Deletion>
    /** Change a member's role; the only owner keeps the role. Callers: a signed-in user. Roles of members: owner. */
    update(input: { user_id: number } & StaffUpdateInput, options?: CallOptions): Call<Member>
    /** Remove a member; the only owner cannot be removed. Callers: a signed-in user. Roles of members: owner. */
    remove(input: { user_id: number }, options?: CallOptions): Call<Deletion>
  }
  /** Settings */
  readonly settings: {
    /** The acting business's profile, time zone, currency and policies. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input?: undefined, options?: CallOptions): Call<Settings>
    /** Change the profile; a new time zone applies from now on, and booked trips keep their currency. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    update(input: SettingsUpdateInput, options?: CallOptions): Call<Settings>
    /** The reminder of an example invoice in a wording, or in the words of Livery; nothing is stored. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    previewReminder(input: SettingsPreviewReminderInput, options?: CallOptions): Call<ReminderPreview>
    /** How invoices are numbered, and the number of the next one. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readInvoiceNumbers(input?: undefined, options?: CallOptions): Call<InvoiceNumbers>
    /** Change the numbers of later invoices: their format and the next count. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    updateInvoiceNumbers(input: SettingsUpdateInvoiceNumbersInput, options?: CallOptions): Call<InvoiceNumbers>
    /** How credit notes are numbered, and the number of the next one. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readCreditNoteNumbers(input?: undefined, options?: CallOptions): Call<InvoiceNumbers>
    /** Change the numbers of later credit notes: their format and the next count. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    updateCreditNoteNumbers(input: SettingsUpdateInvoiceNumbersInput, options?: CallOptions): Call<InvoiceNumbers>
    /** How pickups follow flights, and whether the installation can look flights up. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readFlights(input?: undefined, options?: CallOptions): Call<FlightSettings>
    /** Change how pickups follow flights: on or off, the limits and the buffer. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    updateFlights(input: SettingsUpdateFlightsInput, options?: CallOptions): Call<FlightSettings>
  }
  /** Cars */
  readonly cars: {
    /** The business's cars by name; optionally only the active or the inactive ones. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; active?: boolean | undefined }, options?: CallOptions): List<Car>
    /** Add a car; active cars count against the plan's limit. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    create(input: CarsCreateInput, options?: CallOptions): Call<Car>
    /** Add up to 500 cars, each by itself or all or nothing; the response has one result for each, in order. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    createMany(input: readonly CarsCreateInput[] | {
      items: readonly CarsCreateInput[]
      all_or_nothing?: boolean | null | undefined
    }, options?: CallOptions): Call<Array<{
      /** The status that the request for this item alone would have. */
      status: number
      data: Car
    } | {
      /** The status that the request for this item alone would have. */
      status: number
      error: BulkRefusal
    }>>
    /** One car. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Car>
    /** Change a car; an inactive car cannot be given to further trips. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    update(input: { id: number } & CarsUpdateInput, options?: CallOptions): Call<Car>
    /** Delete a car; if it has open trips, `force` is required and removes it from them. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
  }
  /** Drivers */
  readonly drivers: {
    /** The business's drivers by name; optionally only the active or the inactive ones. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; active?: boolean | undefined }, options?: CallOptions): List<Driver>
    /** Add a driver; beyond the plan's limit, `confirm_seat` buys a seat if the plan sells seats. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    create(input: DriversCreateInput, options?: CallOptions): Call<Driver>
    /** Add up to 500 drivers, each by itself or all or nothing; the response has one result for each, in order. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    createMany(input: readonly DriversCreateInput[] | {
      items: readonly DriversCreateInput[]
      all_or_nothing?: boolean | null | undefined
    }, options?: CallOptions): Call<Array<{
      /** The status that the request for this item alone would have. */
      status: number
      data: Driver
    } | {
      /** The status that the request for this item alone would have. */
      status: number
      error: BulkRefusal
    }>>
    /** The active drivers who have neither a trip nor an absence at a time, with their jobs before and after it. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    free(input: { page?: number | undefined; per_page?: number | undefined; from: string; to: string; /** Drivers whose default car has this class. */ vehicle_class?: VehicleClass | undefined; near?: string | undefined }, options?: CallOptions): List<FreeDriver>
    /** The absences of all drivers in a time of at most 31 days, the earliest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    allAbsences(input: { page?: number | undefined; per_page?: number | undefined; from: string; to: string }, options?: CallOptions): List<Absence>
    /** One driver. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Driver>
    /** Change a driver; an inactive driver cannot be given further trips, and `force` confirms that open ones are kept. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    update(input: { id: number } & DriversUpdateInput, options?: CallOptions): Call<Driver>
    /** Delete a driver; if there are live assignments, `force` is required and cancels them. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** Mail the driver a code to create an account; earlier codes become invalid. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    invite(input: { id: number }, options?: CallOptions): Call<Sending>
    /** The times at which a driver is busy or absent, on up to 31 days; today by default. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    availability(input: { id: number; /** The first day, on the business's clock; today by default. */ date_from?: string | undefined; /** The last day, included; `date_from` by default. */ date_to?: string | undefined }, options?: CallOptions): Call<Availability>
    /** A driver's absences, the earliest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    absences(input: { id: number; page?: number | undefined; per_page?: number | undefined; from?: string | undefined; to?: string | undefined }, options?: CallOptions): List<Absence>
    /** Add an absence of a driver, optionally repeated by weekday; the warnings name the driver's trips at that time. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    addAbsence(input: { id: number } & DriversAddAbsenceInput, options?: CallOptions): Call<AbsencesAdded>
    /** Remove absences of a driver, all of them or none. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    removeAbsences(input: { id: number } & DriversRemoveAbsencesInput, options?: CallOptions): Call<Deletion>
  }
  /** Customers */
  readonly customers: {
    /** The business's customers by name; `search` looks in names, emails and phone numbers. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** Words; each has to be the beginning of a word of the record, without regard to case and accents. A trip is found by the reference, the passenger's name, email and phone number, the flight number, both addresses, external_ref, po_number and cost_center; a customer by the name, the company, the email and the phone number. */ search?: string | undefined }, options?: CallOptions): List<Customer>
    /** Add a customer, and link earlier trips with the same email to them. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    create(input: CustomersCreateInput, options?: CallOptions): Call<Customer>
    /** Add up to 500 customers, each by itself or all or nothing; the response has one result for each, in order. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    createMany(input: readonly CustomersCreateInput[] | {
      items: readonly CustomersCreateInput[]
      all_or_nothing?: boolean | null | undefined
    }, options?: CallOptions): Call<Array<{
      /** The status that the request for this item alone would have. */
      status: number
      data: Customer
    } | {
      /** The status that the request for this item alone would have. */
      status: number
      error: BulkRefusal
    }>>
    /** One customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Customer>
    /** Change a customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    update(input: { id: number } & CustomersUpdateInput, options?: CallOptions): Call<Customer>
    /** Delete a customer; if there are open trips, `force` is required and unlinks them. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** A customer's trips, the latest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    trips(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Trip>
    /** A customer's invoices, the newest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    invoices(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Invoice>
  }
  /** Billing of trips */
  readonly tripBilling: {
    /** Create one invoice of a customer's trips of a month, grouped by cost center or PO number; `left_out` are the trips that it does not have. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    month(input: { id: number } & TripBillingMonthInput, options?: CallOptions): Call<MonthlyInvoice>
    /** Create the link with which the customer pays for the trip, and the trip's invoice if it has none. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    trip(input: { id: number } & {
      tax_rate?: number | null | undefined
      taxes?: ReadonlyArray<{
        name?: string | null | undefined
        rate: number
      }> | null | undefined
      tax_included?: boolean | null | undefined
    }, options?: CallOptions): Call<PaymentLink>
    /** Raise the invoices of a month for all customers in the background, and email them with `send`. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    startRun(input: TripBillingStartRunInput, options?: CallOptions): Call<MonthlyRun>
    /** A run that raises the invoices of a month, with the report of each customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readRun(input: { run_id: number }, options?: CallOptions): Call<MonthlyRun>
  }
  /** Imports */
  readonly imports: {
    /** Import a table, CSV or XLSX, in the background; a record that the business has already is matched, so that the same table twice changes nothing. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    start(input: {
      file: Blob
      /** What the lines of the table are. */
      as: As
      /** `plain`, `limo_anywhere`, `moovs`, or a JSON object with the field of each header; by default, the built-in maps are tried. */
      map?: string | undefined
      dry_run?: boolean | undefined
    }, options?: CallOptions): Call<Import>
    /** The imports of the business, the latest first; optionally only those with, or without, `dry_run`. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** `true`: the response is that of the change, without tokens, but nothing is changed; an `Idempotency-Key` has no effect. */ dry_run?: boolean | undefined }, options?: CallOptions): List<Import>
    /** What an import of a table would read of each column, with its first lines and the fields to choose from; nothing is stored. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    columns(input: {
      file: Blob
      /** What the lines of the table are. */
      as: As
      /** `plain`, `limo_anywhere`, `moovs`, or a JSON object with the field of each header; by default, the built-in maps are tried. */
      map?: string | undefined
    }, options?: CallOptions): Call<ImportColumns>
    /** An import with its progress and its counts. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Import>
    /** What became of each line of an import, in the order of its file, for a week. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    lines(input: { id: number; page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: ImportLineStatus | undefined }, options?: CallOptions): List<ImportLine>
    /** The refused lines as CSV with the reason of each in the column `why`; import it again once it is mended. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    refused(input: { id: number }, options?: CallOptions): Call<Blob>
  }
  /** Fares */
  readonly fares: {
    /** The business's tariffs by id, without their prices. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<{
      tariff_id: number
      name: string
      currency: string
      version: number
      created_at: string
      updated_at: string
    }>
    /** Add a tariff; it is checked as a whole. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    create(input: FaresCreateInput, options?: CallOptions): Call<Tariff>
    /** One tariff with its prices, in its latest version. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Tariff>
    /** Change fields of a tariff, which creates its next version. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    update(input: { id: number } & FaresUpdateInput, options?: CallOptions): Call<Tariff>
    /** Delete a tariff; fares that were computed with it keep their version. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    remove(input: { id: number }, options?: CallOptions): Call<Deletion>
    /** The versions of a tariff, the latest first, without their prices. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    versions(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<TariffVersion>
    /** A tariff as it was in a version; also a deleted one, because fares refer to it. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readVersion(input: { id: number; version: number }, options?: CallOptions): Call<Tariff>
    /** Take over the fixed prices of a CSV price list as the next version; nothing if any line is wrong. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    importPrices(input: { id: number } & {
      file: Blob
      from?: string | null | undefined
      replace?: boolean | null | undefined
      /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
      valid_from?: string | null | undefined
    }, options?: CallOptions): Call<Tariff>
    /** The fares of a trip in every vehicle class, line by line. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    estimate(input: FaresEstimateInput, options?: CallOptions): Call<FareEstimate>
    /** The fare of a trip when it was booked, and its final fare with waiting or a no-show, line by line. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    ofTrip(input: { id: number }, options?: CallOptions): Call<TripFare>
    /** Price an open trip by a tariff; the final fare is computed when the trip ends. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    priceTrip(input: { id: number } & FaresPriceTripInput, options?: CallOptions): Call<TripFare>
  }
  /** Drivers' pay */
  readonly driverPay: {
    /** The schemes by which a driver is paid. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    read(input: { id: number }, options?: CallOptions): Call<DriverPay>
    /** Replace the schemes by which a driver is paid, each valid from a day on. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    update(input: { id: number } & DriverPayUpdateInput, options?: CallOptions): Call<DriverPay>
    /** The pay of a driver for the completed trips of some days, at most 92, with totals by currency. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    statement(input: { id: number; from: string; to: string }, options?: CallOptions): Call<DriverStatement>
  }
  /** Products */
  readonly products: {
    /** The business's products by name. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; active?: boolean | undefined }, options?: CallOptions): List<Product>
    /** Add a product. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    create(input: ProductsCreateInput, options?: CallOptions): Call<Product>
    /** One product. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Product>
    /** Change a product; its bookings keep their price and their time. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    update(input: { id: number } & ProductsUpdateInput, options?: CallOptions): Call<Product>
    /** Delete a product; its bookings stay. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** The departures of a tour on up to 31 days, with their places and their trips. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    departures(input: { id: number; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from: string; /** The last day, as `date_from`. */ date_to: string }, options?: CallOptions): Call<Departures[]>
  }
  /** Bookings */
  readonly bookings: {
    /** The business's bookings, the latest start first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: BookingStatus | undefined; /** Records with this payment status. */ payment_status?: PaymentStatus | undefined; product_id?: number | undefined; /** Records of this customer. */ customer_id?: number | undefined; /** The record with this reference, in upper or lower case. */ reference?: string | undefined; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from?: string | undefined; /** The last day, as `date_from`. */ date_to?: string | undefined }, options?: CallOptions): List<Booking>
    /** Book places of a product; the booking is pending, and expires unless it is confirmed. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    create(input: BookingsCreateInput, options?: CallOptions): Call<Booking>
    /** One booking. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Booking>
    /** Change a booking, or complete a confirmed one. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    update(input: { id: number } & BookingsUpdateInput, options?: CallOptions): Call<Booking>
    /** Delete a booking; an open one is cancelled first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** Confirm a pending booking; if the product is a transport, this books the trip. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    confirm(input: { id: number } & {
      email?: boolean | null | undefined
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Booking>
    /** Cancel a booking and its trip, and free its places. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    cancel(input: { id: number } & {
      email?: boolean | null | undefined
      force?: boolean | null | undefined
      /** Why the trip was cancelled. */
      cancel_reason?: CancelReason | null | undefined
    }, options?: CallOptions): Call<Booking>
  }
  /** Billing of bookings */
  readonly bookingBilling: {
    /** Create the link with which the customer pays for the booking, and the booking's invoice if it has none. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    link(input: { id: number } & {
      tax_rate?: number | null | undefined
      taxes?: ReadonlyArray<{
        name?: string | null | undefined
        rate: number
      }> | null | undefined
      tax_included?: boolean | null | undefined
    }, options?: CallOptions): Call<PaymentLink>
    /** Record a received payment of a booking; creates the booking's invoice if it has none. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    pay(input: { id: number } & BookingBillingPayInput, options?: CallOptions): Call<BookingPayment>
  }
  /** Booking page */
  readonly bookingPages: {
    /** The business's profile and its products, whose prices are honoured for 15 minutes. Callers: anyone. */
    read(input: { vendor_slug: string }, options?: CallOptions): Call<BookingPage>
    /** The zones of the business's tariff with the text in their names, and the addresses that the geocoding service finds. Callers: anyone. */
    places(input: { vendor_slug: string; query?: string | undefined; language?: string | undefined }, options?: CallOptions): Call<Places[]>
    /** The departures of a tour on up to 31 days, with the places that are left. Callers: anyone. */
    departures(input: { vendor_slug: string; id: number; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from: string; /** The last day, as `date_from`. */ date_to: string }, options?: CallOptions): Call<PublicDepartures[]>
    /** The prices of a ride in each class, honoured for 15 minutes. Callers: anyone. */
    estimate(input: { vendor_slug: string } & BookingPagesEstimateInput, options?: CallOptions): Call<PublicEstimate>
    /** Request a quote for a ride. Callers: anyone. */
    requestQuote(input: { vendor_slug: string } & BookingPagesRequestQuoteInput, options?: CallOptions): Call<RequestedQuote>
    /** Book places of a product. Callers: anyone. */
    bookProduct(input: { vendor_slug: string } & BookingPagesBookProductInput, options?: CallOptions): Call<PublicBooking>
    /** Book a ride at a displayed price. Callers: anyone. */
    bookTrip(input: { vendor_slug: string } & BookingPagesBookTripInput, options?: CallOptions): Call<PublicTrip>
  }
  /** Quotes */
  readonly quotes: {
    /** The business's quotes, the newest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: QuoteStatus | undefined; /** Records of this customer. */ customer_id?: number | undefined; /** The record with this reference, in upper or lower case. */ reference?: string | undefined; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from?: string | undefined; /** The last day, as `date_from`. */ date_to?: string | undefined }, options?: CallOptions): List<Quote>
    /** Add a quote as a draft. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    create(input: QuotesCreateInput, options?: CallOptions): Call<Quote>
    /** One quote. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Quote>
    /** Change a quote; a sent one becomes a draft, and its link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    update(input: { id: number } & QuotesUpdateInput, options?: CallOptions): Call<Quote>
    /** Delete a quote; its trips stay. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** Price the items of a quote by a tariff or with given amounts; its earlier link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    price(input: { id: number } & QuotesPriceInput, options?: CallOptions): Call<Quote>
    /** Email the quote's link to the customer; only this response has it, and an earlier link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    send(input: { id: number } & {
      email?: boolean | null | undefined
    }, options?: CallOptions): Call<SentQuote>
    /** Accept a quote on behalf of the customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    accept(input: { id: number } & {
      name?: string | null | undefined
      email?: boolean | null | undefined
    }, options?: CallOptions): Call<Quote>
    /** Reject a quote on behalf of the customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    reject(input: { id: number } & {
      reason?: string | null | undefined
    }, options?: CallOptions): Call<Quote>
    /** Book the trips of a quote; a quote that is not accepted yet is accepted. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    convert(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Quote>
  }
  /** Quotes by link */
  readonly publicQuotes: {
    /** The quote of a link. Callers: anyone. */
    read(input: { token: string }, options?: CallOptions): Call<PublicQuote>
    /** Accept the quote; the name, the time and the IP address are recorded. Callers: anyone. */
    accept(input: { token: string } & PublicQuotesAcceptInput, options?: CallOptions): Call<PublicQuote>
    /** Reject the quote. Callers: anyone. */
    reject(input: { token: string } & {
      reason?: string | null | undefined
    }, options?: CallOptions): Call<PublicQuote>
  }
  /** Trips */
  readonly trips: {
    /** The business's trips, 20 to a page. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { /** Records in this status. */ status?: TripStatus | undefined; /** Records with this payment status. */ payment_status?: PaymentStatus | undefined; /** Trips that are on an invoice (`true`), or on none (`false`). */ invoiced?: boolean | undefined; /** `upcoming` returns the records whose time is still to come, the soonest first; `previous` the others. */ filter?: "upcoming" | "previous" | undefined; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from?: string | undefined; /** The last day, as `date_from`. */ date_to?: string | undefined; /** Words; each has to be the beginning of a word of the record, without regard to case and accents. A trip is found by the reference, the passenger's name, email and phone number, the flight number, both addresses, external_ref, po_number and cost_center; a customer by the name, the company, the email and the phone number. */ search?: string | undefined; /** Trips that this driver is on. */ driver_id?: number | undefined; /** Trips that are driven with this car. */ car_id?: number | undefined; /** Records of this customer. */ customer_id?: number | undefined; /** Trips of this group. */ group_id?: string | undefined; /** Trips whose assignments, taken together, have this status. */ driver_status?: DriverStatus | undefined; /** Trips of this type. */ trip_type?: TripType | undefined; /** Trips that are driven with a car of this class. */ vehicle_class?: VehicleClass | undefined; /** Trips for which this class was ordered. */ ordered_class?: VehicleClass | undefined; /** The trip with this name in another system. */ external_ref?: string | undefined; /** Trips with this purchase order of the customer. */ po_number?: string | undefined; /** Trips with this cost centre of the customer. */ cost_center?: string | undefined; /** The record with this reference, in upper or lower case. */ reference?: string | undefined; /** Trips with this flight: BA117, ba 117 and BA 0117 are the same. */ flight_number?: string | undefined; /** Trips that were changed at this time or later: RFC 3339, or without an offset a local time on the business's clock. The list of trips is then in the order of the changes, the earliest first. */ updated_since?: string | undefined; page?: number | undefined; per_page?: string | undefined; cursor?: string | undefined }, options?: CallOptions): List<Trip>
    /** Book a trip. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    create(input: TripsCreateInput, options?: CallOptions): Call<ChangedTrip>
    /** Book up to 500 trips, each by itself or all or nothing; the response has one result for each, in order. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    createMany(input: readonly TripsCreateInput[] | {
      items: readonly TripsCreateInput[]
      all_or_nothing?: boolean | null | undefined
    }, options?: CallOptions): Call<Array<{
      /** The status that the request for this item alone would have. */
      status: number
      data: ChangedTrip
    } | {
      /** The status that the request for this item alone would have. */
      status: number
      error: BulkRefusal
    }>>
    /** One trip. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Trip>
    /** Change, confirm, complete or cancel a trip; of an ended trip, only notes, references and amounts can change. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    update(input: { id: number } & TripsUpdateInput, options?: CallOptions): Call<ChangedTrip>
    /** Delete a trip; a trip that has not ended is cancelled first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** Set the status of a driver's assignment; `driver_id` is required if the trip has several drivers. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    reportDriverStatus(input: { id: number } & TripsReportDriverStatusInput, options?: CallOptions): Call<Trip>
    /** Replace the drivers of a trip; only this response has the tokens of new assignments. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    assign(input: { id: number } & TripsAssignInput, options?: CallOptions): Call<Assignment>
    /** The history of a trip: each change with its author and time, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    timeline(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Timeline>
    /** Reopen a completed or cancelled trip as confirmed; its assignments stay ended. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    reopen(input: { id: number } & TripsReopenInput, options?: CallOptions): Call<ChangedTrip>
    /** Book a copy of a trip; fields in the body replace the copied ones. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    duplicate(input: { id: number } & TripTemplatesBookInput, options?: CallOptions): Call<ChangedTrip>
    /** Book copies of a trip on the days of a calendar rule, at the same time on the clock of the pickup, as a group; all or none. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    repeat(input: { id: number } & TripsRepeatInput, options?: CallOptions): Call<RepeatedTrip>
  }
  /** Invoices */
  readonly invoices: {
    /** The business's invoices, the newest first; `search` is the beginning of a number; with `overdue=true`, those that are overdue, due the longest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: InvoiceStatus | undefined; /** Records of this customer. */ customer_id?: number | undefined; /** The beginning of a number. */ search?: string | undefined; overdue?: "true" | undefined; /** The first day, on the business's clock: of the pickup of a trip, the start of a booking, the creation of a quote or an invoice. */ date_from?: string | undefined; /** The last day, as `date_from`. */ date_to?: string | undefined }, options?: CallOptions): List<Invoice>
    /** Create an invoice or a draft, of items or of trips; without items, each trip gets a line. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    create(input: InvoicesCreateInput, options?: CallOptions): Call<Invoice>
    /** One invoice. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Invoice>
    /** Change an invoice; of one that was issued, sent, viewed or paid, only the notes. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    update(input: { id: number } & InvoicesUpdateInput, options?: CallOptions): Call<Invoice>
    /** Void an invoice without payments, which stays readable under its number; or remove a draft. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    remove(input: { id: number } & {
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Deletion>
    /** Issue an invoice: a draft gets its number, and it does not change from then on. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    issue(input: { id: number }, options?: CallOptions): Call<Invoice>
    /** Correct an issued invoice: credit the rest of it, and issue a new one with the changed fields. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    correct(input: { id: number } & InvoicesCorrectInput, options?: CallOptions): Call<Invoice>
    /** The history of an invoice: each change with its author and time, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    timeline(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<InvoiceTimeline>
    /** Void an unpaid invoice; its trips can then be invoiced again. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    void(input: { id: number }, options?: CallOptions): Call<Invoice>
    /** Attach trips to an invoice that was not issued; each gets a line at its price. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    attachTrips(input: { id: number } & InvoicesAttachTripsInput, options?: CallOptions): Call<Invoice>
    /** Detach trips and their lines from an invoice that was not issued. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    detachTrips(input: { id: number } & InvoicesDetachTripsInput, options?: CallOptions): Call<Invoice>
    /** The payments and refunds of an invoice, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    payments(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<BookingPayment>
    /** Record a received payment; what exceeds the amount due is credit of the customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    pay(input: { id: number } & InvoicesPayInput, options?: CallOptions): Call<Payment>
    /** Pay an invoice from the credit of its customer; without `amount`, as much as is due and there is. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    applyCredit(input: { id: number } & {
      amount?: number | null | undefined
    }, options?: CallOptions): Call<Invoice>
    /** Undo a payment or a refund that was entered by mistake; `entries` are all entries of the reversal. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    reverse(input: { id: number; payment_id: number } & InvoicesReverseInput, options?: CallOptions): Call<Reversal>
    /** Refund a payment in part or in full, a card payment at the payment provider; `entries` are all entries of the refund. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    refund(input: { id: number; payment_id: number } & InvoicesRefundInput, options?: CallOptions): Call<Refund>
  }
  /** Invoice PDFs */
  readonly invoicePdfs: {
    /** The invoice as a PDF, in Europe with an electronic copy; an unchanged invoice gives the same bytes. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    pdf(input: { id: number }, options?: CallOptions): Call<Blob>
    /** The invoice as XRechnung, in the syntax UBL or CII; 422 names each field that it lacks. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    xrechnung(input: { id: number; syntax?: "ubl" | "cii" | undefined }, options?: CallOptions): Call<Blob>
    /** Email the PDF to the customer, or to another address, for one email credit. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    email(input: { id: number } & {
      to?: string | null | undefined
      message?: string | null | undefined
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<InvoiceEmail>
    /** Remind the customer of an overdue invoice: the next level, with its fee, for one email credit. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    remind(input: { id: number } & {
      to?: string | null | undefined
      fee?: boolean | null | undefined
      force?: boolean | null | undefined
    }, options?: CallOptions): Call<Reminder>
  }
  /** Credit notes */
  readonly creditNotes: {
    /** Credit items of an invoice, or without `items` all of its remaining amount, and refund their payments. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    create(input: { id: number } & CreditNotesCreateInput, options?: CallOptions): Call<CreditNote>
    /** The credit notes of an invoice, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<CreditNote>
    /** One credit note. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number; credit_note_id: number }, options?: CallOptions): Call<CreditNote>
    /** The credit note as XRechnung, in the syntax UBL or CII; 422 names each field that it lacks. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    xrechnung(input: { id: number; credit_note_id: number; syntax?: "ubl" | "cii" | undefined }, options?: CallOptions): Call<Blob>
    /** The credit note as a PDF, in Europe with an electronic copy. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    pdf(input: { id: number; credit_note_id: number }, options?: CallOptions): Call<Blob>
  }
  /** Letters */
  readonly letters: {
    /** The emails to customers that could not be delivered, the latest first; each credit came back. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    failed(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<FailedLetter>
  }
  /** Payments */
  readonly remittances: {
    /** Money that was received for several invoices at once, the newest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Remittance>
    /** Record money that pays one or several invoices; the rest is credit of the customer. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    create(input: RemittancesCreateInput, options?: CallOptions): Call<Remittance>
    /** Money that was received at once, with the entries that it made. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Remittance>
    /** The credit of a customer in each currency, with the invoices that received it. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    credit(input: { id: number }, options?: CallOptions): Call<CustomerCredit>
  }
  /** Bank statements */
  readonly bankStatements: {
    /** The imported bank statements, the newest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<BankStatement>
    /** Import a bank statement, camt.053 or CSV, of up to 5 MB; entries that are known are left out, and nothing is stored if any is wrong. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    import(input: {
      file: Blob
      day?: string | null | undefined
      amount?: string | null | undefined
      currency?: string | null | undefined
      name?: string | null | undefined
      reference?: string | null | undefined
    }, options?: CallOptions): Call<BankStatement>
    /** The entries of a statement, the open ones with the invoices that they may pay, the surest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    entries(input: { id: number; page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: BankEntryStatus | undefined }, options?: CallOptions): List<BankEntry>
    /** Record the money of an entry as a payment of these invoices. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    confirm(input: { id: number; entry_id: number } & BankStatementsConfirmInput, options?: CallOptions): Call<BankEntry>
    /** Say that an entry pays no invoice; it can still be confirmed. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    ignore(input: { id: number; entry_id: number }, options?: CallOptions): Call<BankEntry>
  }
  /** Exports */
  readonly bookExports: {
    /** The invoices of some days as a file: CSV, DATEV, QuickBooks or Xero. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    invoices(input: { from: string; to: string; format?: "csv" | "datev" | "quickbooks" | "xero" | undefined; delimiter?: "comma" | "semicolon" | "tab" | undefined; decimal?: "point" | "comma" | undefined; encoding?: "utf-8" | "utf-8-bom" | "windows-1252" | undefined }, options?: CallOptions): Call<Blob>
    /** The credit notes of some days as a file: CSV, DATEV, QuickBooks or Xero. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    creditNotes(input: { from: string; to: string; format?: "csv" | "datev" | "quickbooks" | "xero" | undefined; delimiter?: "comma" | "semicolon" | "tab" | undefined; decimal?: "point" | "comma" | undefined; encoding?: "utf-8" | "utf-8-bom" | "windows-1252" | undefined }, options?: CallOptions): Call<Blob>
    /** The payments and refunds of some days as a file: CSV, DATEV or QuickBooks. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    payments(input: { from: string; to: string; format?: "csv" | "datev" | "quickbooks" | "xero" | undefined; delimiter?: "comma" | "semicolon" | "tab" | undefined; decimal?: "point" | "comma" | undefined; encoding?: "utf-8" | "utf-8-bom" | "windows-1252" | undefined }, options?: CallOptions): Call<Blob>
    /** The postings of some days, of all of these, as a file: CSV, DATEV or QuickBooks. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    journal(input: { from: string; to: string; format?: "csv" | "datev" | "quickbooks" | "xero" | undefined; delimiter?: "comma" | "semicolon" | "tab" | undefined; decimal?: "point" | "comma" | undefined; encoding?: "utf-8" | "utf-8-bom" | "windows-1252" | undefined }, options?: CallOptions): Call<Blob>
    /** The tax of the invoices and credit notes of some days, by period, country of the customer and rate. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    taxes(input: { from: string; to: string; period?: "month" | "quarter" | "year" | undefined }, options?: CallOptions): Call<TaxReport>
  }
  /** Statements */
  readonly statements: {
    /** What a customer owed, was charged and paid on some days, with the running balance; as CSV with `Accept: text/csv`, as PDF with `Accept: application/pdf`. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number; from: string; to: string }, options?: CallOptions): Call<CustomerStatement>
    /** Email the statement as a PDF to the customer, or to another address, for one email credit. Callers: an API key of the business, or a user's access token. Roles of members: owner, accountant. */
    send(input: { id: number } & StatementsSendInput, options?: CallOptions): Call<StatementEmail>
  }
  /** Invoices by link */
  readonly publicInvoices: {
    /** The invoice of a `payment_hash`, without its notes and its customer. Callers: anyone. */
    read(input: { hash: string }, options?: CallOptions): Call<PublicInvoice>
    /** The invoice of a `payment_hash` as a PDF. Callers: anyone. */
    pdf(input: { hash: string }, options?: CallOptions): Call<Blob>
    /** Start a card payment of the amount due, or of the `amount` in the body if the business allows part payments; the secret stays the same while the amount is unchanged. Callers: anyone. */
    pay(input: { hash: string } & {
      amount?: number | null | undefined
    }, options?: CallOptions): Call<CardPayment>
  }
  /** Payment notices */
  readonly paymentNotices: {
    /** A notice of Stripe, signed over the body as it was sent. Callers: anyone. */
    stripe(input: PaymentNoticesStripeInput, options?: CallOptions): Call<TextCallback>
  }
  /** Webhooks */
  readonly webhooks: {
    /** The business's endpoints, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Endpoint>
    /** Create an endpoint; only this response has its secret. A business can have 50 endpoints. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    create(input: WebhooksCreateInput, options?: CallOptions): Call<CreatedEndpoint>
    /** One endpoint. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<Endpoint>
    /** Change an endpoint's address or events, or disable or enable it; a disabled one receives nothing. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    update(input: { id: number } & WebhooksUpdateInput, options?: CallOptions): Call<Endpoint>
    /** Delete an endpoint; no further events are sent to it. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    remove(input: { id: number }, options?: CallOptions): Call<Deletion>
    /** Replace an endpoint's secret; only this response has it, and the old one stays valid for 24 hours. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    replaceSecret(input: { id: number }, options?: CallOptions): Call<CreatedEndpoint>
    /** Send a sample event to an endpoint, signed like any event and with `meta.test` true. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    test(input: { id: number } & WebhooksTestInput, options?: CallOptions): Call<Delivery>
    /** An endpoint's deliveries, newest first, with their attempts. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    deliveries(input: { id: number; page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: DeliveryStatus | undefined }, options?: CallOptions): List<Delivery>
    /** Send a failed delivery's event again, as a new delivery. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    retry(input: { id: number; delivery_id: number }, options?: CallOptions): Call<Delivery>
  }
  /** Events */
  readonly events: {
    /** The business's events as they were sent, for receivers that missed some; those of one record in the order of its changes. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { after?: string | undefined; limit?: number | undefined }, options?: CallOptions): List<Event, EventPagination>
  }
  /** Uploads */
  readonly uploads: {
    /** Upload an image (PNG, JPEG, WebP) or a PDF of up to 10 MiB; its `url` needs no credential and does not expire. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    upload(input: {
      file: Blob
    }, options?: CallOptions): Call<Upload>
  }
  /** Operations */
  readonly health: {
    /** Whether the process runs. Callers: anyone. */
    live(input?: undefined, options?: CallOptions): Call<Live>
    /** Whether the process can serve: 200, or 503 with the missing parts. Callers: anyone. */
    ready(input?: undefined, options?: CallOptions): Call<Ready>
  }
  /** Signed-in drivers */
  readonly driverAccount: {
    /** The driver's profile, with cars and the numbers of jobs. Callers: a signed-in driver. */
    profile(input?: undefined, options?: CallOptions): Call<DriverProfile>
    /** The business of the driver: its name, the phone number of its office, its look. Callers: a signed-in driver. */
    office(input?: undefined, options?: CallOptions): Call<DriverOffice>
    /** The driver's jobs, the soonest first; with `previous`, ended jobs, the latest first. Callers: a signed-in driver. */
    trips(input?: { /** `upcoming` returns the records whose time is still to come, the soonest first; `previous` the others. */ filter?: "upcoming" | "previous" | undefined; /** Records in this status. */ status?: BoardStatus | undefined; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<DriverTrip>
    /** One job, by the trip's id. Callers: a signed-in driver. */
    trip(input: { id: number }, options?: CallOptions): Call<DriverTrip>
    /** Accept the own job, or report a status or a milestone of it. Callers: a signed-in driver. */
    report(input: { id: number } & DriverAccountReportInput, options?: CallOptions): Call<DriverTrip>
    /** Report the driver's position; recorded only if it was measured while `en_route`. Callers: a signed-in driver. */
    location(input: DriverAccountLocationInput, options?: CallOptions): Call<LocationReceipt>
    /** Report up to 500 positions of a phone that was offline, in any order; returns how many were recorded. Callers: a signed-in driver. */
    locations(input: DriverAccountLocationsInput, options?: CallOptions): Call<LocationBatchReceipt>
  }
  /** Drivers without an account */
  readonly driverToken: {
    /** The assigned trip. Callers: the holder of the token of an assignment. */
    trip(input?: undefined, options?: CallOptions): Call<DriverTrip>
    /** The business of the trip: its name, the phone number of its office, its look. Callers: the holder of the token of an assignment. */
    office(input?: undefined, options?: CallOptions): Call<DriverOffice>
    /** Report up to 500 positions of a phone that was offline, in any order; returns how many were recorded. Callers: the holder of the token of an assignment. */
    locations(input: DriverAccountLocationsInput, options?: CallOptions): Call<LocationBatchReceipt>
    /** Report the driver's position; recorded only if it was measured while `en_route`. Callers: the holder of the token of an assignment. */
    location(input: DriverAccountLocationInput, options?: CallOptions): Call<LocationReceipt>
    /** Accept the job, or report a status or a milestone; the token expires when the assignment ends. Callers: the holder of the token of an assignment. */
    status(input: DriverAccountReportInput, options?: CallOptions): Call<DriverTrip>
  }
  /** Tracking */
  readonly tracking: {
    /** The last position of each driver who is under way. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    drivers(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<DriverLocation>
    /** The position of the trip's driver; null unless a driver is under way. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    location(input: { id: number }, options?: CallOptions): Call<TripLocation>
    /** The position of the trip's driver as server-sent events, until the trip ends. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    follow(input: { id: number }, options?: CallOptions): AsyncIterable<StreamEvent<"position" | "status", TripLocation>>
    /** Create a tracking link; only this response has it, and an earlier link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    share(input: { id: number }, options?: CallOptions): Call<CalendarLink>
    /** Remove the trip's tracking link. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    unshare(input: { id: number }, options?: CallOptions): Call<Deletion>
  }
  /** Tracking by link */
  readonly publicTracking: {
    /** The position of the trip's driver; for an hour after the trip ends, its final status; then 404. Callers: anyone. */
    location(input: { token: string }, options?: CallOptions): Call<TrackedTrip>
    /** The position of the trip's driver as server-sent events, until the trip ends; afterwards a single event. Callers: anyone. */
    follow(input: { token: string }, options?: CallOptions): AsyncIterable<StreamEvent<"position" | "status", TrackedTrip>>
  }
  /** Dispatch */
  readonly dispatch: {
    /** The jobs of a day in the business's time zone (default: today) or between two instants, the soonest first, with drivers, cars and warnings; cancelled jobs only with `status=cancelled`. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    board(input?: { /** The day of the board, on the business's clock; today by default. */ date?: string | undefined; from?: string | undefined; to?: string | undefined; /** Records in this status. */ status?: TripStatus | undefined; /** Words; each has to be the beginning of a word of the record, without regard to case and accents. A trip is found by the reference, the passenger's name, email and phone number, the flight number, both addresses, external_ref, po_number and cost_center; a customer by the name, the company, the email and the phone number. */ search?: string | undefined; /** Trips that this driver is on. */ driver_id?: number | undefined; /** Trips that are driven with this car. */ car_id?: number | undefined; /** Records of this customer. */ customer_id?: number | undefined; /** Trips of this group. */ group_id?: string | undefined; /** Trips whose assignments, taken together, have this status. */ driver_status?: DriverStatus | undefined; /** Trips of this type. */ trip_type?: TripType | undefined; /** Trips that are driven with a car of this class. */ vehicle_class?: VehicleClass | undefined; /** Trips for which this class was ordered. */ ordered_class?: VehicleClass | undefined; /** The trip with this name in another system. */ external_ref?: string | undefined; /** Trips with this purchase order of the customer. */ po_number?: string | undefined; /** Trips with this cost centre of the customer. */ cost_center?: string | undefined; /** The record with this reference, in upper or lower case. */ reference?: string | undefined; /** Trips with this flight: BA117, ba 117 and BA 0117 are the same. */ flight_number?: string | undefined; /** Trips that were changed at this time or later: RFC 3339, or without an offset a local time on the business's clock. The list of trips is then in the order of the changes, the earliest first. */ updated_since?: string | undefined; page?: number | undefined; per_page?: number | undefined; /** `true`: with `meta.counts` also if the page does not have all trips of the board, which then takes longer. */ counts?: boolean | undefined }, options?: CallOptions): List<Board>
    /** What changes on the board of a day, or between two instants, as server-sent events; after a `gap`, read the board. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    follow(input?: { /** The day of the board, on the business's clock; today by default. */ date?: string | undefined; from?: string | undefined; to?: string | undefined }, options?: CallOptions): AsyncIterable<StreamEvent<"gap" | "trip" | "assignment" | "position" | "gone" | "counts", Board | {
  trip_id: number
  driver_id: number
  position: {
    lat: number
    lng: number
    recorded_at: string
  } | null
} | {
  trip_id: number
} | {
  trips: number
  late: number
  unassigned: number
  clash: number
  flight: number
  pending: number
  confirmed: number
  in_progress: number
  completed: number
  cancelled: number
} | {
  /** `start`: the stream begins; `missed`: the events after the last one are not kept. */
  reason: "start" | "missed"
}>>
    /** Change the drivers and cars of up to 600 trips, all or none; clashes are checked on the result, so drivers can exchange trips. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    assign(input: { /** `true`: the response is that of the change, without tokens, but nothing is changed; an `Idempotency-Key` has no effect. */ dry_run?: boolean | undefined; refuse_clashes?: boolean | undefined } & ReadonlyArray<{
      trip_id: number
      driver_ids?: readonly number[] | undefined
      assignments?: ReadonlyArray<{
        driver_id: number
        /** The car that the driver drives on this trip. Without one it is the trip's; if the trip has none either, it is the driver's default car. */
        car_id?: number | null | undefined
      }> | undefined
      car_id?: number | null | undefined
      force?: boolean | null | undefined
      if_version?: string | null | undefined
    }>, options?: CallOptions): Call<Assignment[]>
    /** Propose drivers for the trips of a day, or between two instants, that have none, with few kilometres without a passenger; nothing is stored. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    plan(input: DispatchPlanInput, options?: CallOptions): Call<DispatchPlan>
    /** Book copies of the trips of a day on another day, at the same times and without drivers; all or none. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    copyDay(input: DispatchCopyDayInput, options?: CallOptions): Call<ChangedTrip[]>
    /** Cancel the trips of a group that have not ended, or change their time, fields or drivers: all of them or those from one trip on, all or none. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    changeGroup(input: DispatchChangeGroupInput, options?: CallOptions): Call<Group>
  }
  /** Reports */
  readonly reports: {
    /** The figures of a report for the days from `from` to `to`; as CSV with `Accept: text/csv`. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { report: "revenue" | "trips" | "punctuality" | "drivers" | "cars" | "unpaid" | "taxes"; from?: string | undefined; to?: string | undefined; by?: "day" | "month" | "customer" | "class" | "product" | "status" | "channel" | undefined }, options?: CallOptions): Call<{
      report: "revenue"
      from: string | null
      to: string | null
      timezone: string
      /** What the rows of the report are by. */
      by: "day" | "month" | "customer" | "class" | "product"
      rows: Array<{
        key: string | null
        label: string | null
        currency: string
        documents: number
        net: number
        tax: number | null
        total: number | null
      }>
      totals: Array<{
        currency: string
        documents: number
        net: number
        tax: number | null
        total: number | null
      }>
    } | {
      report: "trips"
      from: string | null
      to: string | null
      timezone: string
      /** What the rows of the report are by. */
      by: "status" | "channel"
      rows: Array<{
        key: string | null
        currency: string
        trips: number
        amount: number
      }>
      totals: Array<{
        currency: string
        trips: number
        amount: number
      }>
    } | {
      report: "punctuality"
      from: string | null
      to: string | null
      timezone: string
      rows: Array<{
        driver_id: number
        driver_name: string
        jobs: number
        reported: number
        on_time: number
        late_to_5: number
        late_to_15: number
        late_over_15: number
        average_minutes_late: number | null
      }>
      totals: Array<{
        jobs: number
        reported: number
        on_time: number
        late_to_5: number
        late_to_15: number
        late_over_15: number
        average_minutes_late: number | null
      }>
    } | {
      report: "drivers"
      from: string | null
      to: string | null
      timezone: string
      rows: Array<{
        driver_id: number
        driver_name: string
        jobs: number
        hours: number
        kilometres: number
        days_used: number
        use: number
      }>
      totals: Array<{
        jobs: number
        hours: number
        kilometres: number
      }>
    } | {
      report: "cars"
      from: string | null
      to: string | null
      timezone: string
      rows: Array<{
        car_id: number
        car_name: string
        plate_number: string | null
        jobs: number
        hours: number
        kilometres: number
        days_used: number
        use: number
      }>
      totals: Array<{
        jobs: number
        hours: number
        kilometres: number
      }>
    } | {
      report: "unpaid"
      from: string | null
      to: string | null
      timezone: string
      rows: Array<{
        /** How many days the invoices are overdue. */
        key: "not_due" | "to_30" | "to_60" | "to_90" | "over_90"
        currency: string
        invoices: number
        amount: number
      }>
      totals: Array<{
        currency: string
        invoices: number
        amount: number
      }>
    } | {
      report: "taxes"
      from: string | null
      to: string | null
      timezone: string
      rows: Array<{
        month: string
        name: string | null
        rate: number
        currency: string
        taxable: number
        tax: number
      }>
      totals: Array<{
        currency: string
        taxable: number
        tax: number
      }>
    }>
  }
  /** Meta */
  readonly meta: {
    /** All state machines: their states, their transitions, and who may cause each one. Callers: anyone. */
    stateMachines(input?: undefined, options?: CallOptions): Call<StateMachine[]>
  }
  /** Calendars */
  readonly calendars: {
    /** Create the member's link to a calendar of all trips; only this response has it, and an earlier link stops working. Callers: a signed-in user. Roles of members: owner, dispatcher. */
    linkOffice(input?: undefined, options?: CallOptions): Call<CalendarLink>
    /** Remove the member's link to a calendar of all trips. Callers: a signed-in user. Roles of members: owner, dispatcher. */
    unlinkOffice(input?: undefined, options?: CallOptions): Call<Deletion>
    /** Create the link to a driver's calendar; only this response has it, and an earlier link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    linkDriver(input: { id: number }, options?: CallOptions): Call<CalendarLink>
    /** Remove the link to a driver's calendar. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    unlinkDriver(input: { id: number }, options?: CallOptions): Call<Deletion>
    /** Create the link to a customer's calendar; only this response has it, and an earlier link stops working. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    linkCustomer(input: { id: number }, options?: CallOptions): Call<CalendarLink>
    /** Remove the link to a customer's calendar. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    unlinkCustomer(input: { id: number }, options?: CallOptions): Call<Deletion>
  }
  /** Calendars by link */
  readonly publicCalendars: {
    /** The calendar of a link (RFC 5545): 30 days back and 180 ahead, with cancelled events for 7 days. Callers: anyone. */
    read(input: { token: string }, options?: CallOptions): Call<Blob>
  }
  /** Templates of trips */
  readonly tripTemplates: {
    /** The business's templates of trips by name. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<TripTemplate>
    /** Make a template of trips from fields, or from a trip; at most 200. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    create(input: TripTemplatesCreateInput, options?: CallOptions): Call<TripTemplate>
    /** One template of trips. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input: { id: number }, options?: CallOptions): Call<TripTemplate>
    /** Rename a template of trips, or replace its fields; its trips do not change. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    update(input: { id: number } & TripTemplatesUpdateInput, options?: CallOptions): Call<TripTemplate>
    /** Delete a template of trips; its trips do not change. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    remove(input: { id: number }, options?: CallOptions): Call<Deletion>
    /** Book a trip with the fields of a template; fields in the body replace those of the template. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    book(input: { id: number } & TripTemplatesBookInput, options?: CallOptions): Call<ChangedTrip>
  }
  /** Administration: audit log */
  readonly adminAudit: {
    /** The administrative changes, newest first: the author, what changed, and the reason. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; actor?: string | undefined; action?: string | undefined; subject?: string | undefined; business_id?: number | undefined }, options?: CallOptions): List<Audit>
  }
  /** Administration: businesses */
  readonly adminBusinesses: {
    /** The businesses of the platform; all, or those whose name, email or slug contains `search`. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** A part of the name, the email or the slug, in any case. */ search?: string | undefined }, options?: CallOptions): List<AdminBusiness>
    /** One business. Callers: anyone. */
    read(input: { id: number }, options?: CallOptions): Call<AdminBusiness>
    /** Change a business's name, address, plan, currency or time zone. Callers: anyone. */
    update(input: { id: number } & AdminBusinessesUpdateInput, options?: CallOptions): Call<AdminBusiness>
    /** How much of its plan a business uses, and when it was last active. Callers: anyone. */
    usage(input: { id: number }, options?: CallOptions): Call<BusinessUsage>
    /** Add email credits; a negative number deducts, and the balance never becomes negative. Callers: anyone. */
    credits(input: { id: number } & AdminBusinessesCreditsInput, options?: CallOptions): Call<AdminBusiness>
    /** Suspend or reactivate a business. Callers: anyone. */
    suspend(input: { id: number } & AdminBusinessesSuspendInput, options?: CallOptions): Call<AdminBusiness>
  }
  /** Administration: users */
  readonly adminUsers: {
    /** The users of the platform; all, or those whose name or email contains `search`. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** A part of the name or the email, in any case. */ search?: string | undefined; account_type?: "S" | "A" | undefined }, options?: CallOptions): List<AdminUser>
    /** Create an admin or a super-admin, with a verified email. Callers: anyone. */
    create(input: AdminUsersCreateInput, options?: CallOptions): Call<AdminUser>
    /** One user. Callers: anyone. */
    read(input: { id: number }, options?: CallOptions): Call<AdminUser>
    /** Set a new password, and end all of the user's sessions. Callers: anyone. */
    resetPassword(input: { id: number } & AdminUsersResetPasswordInput, options?: CallOptions): Call<AdminPasswordReset>
    /** Allow a user to act for a business, or no longer allow it. Callers: anyone. */
    assignBusiness(input: { id: number } & AdminUsersAssignBusinessInput, options?: CallOptions): Call<BusinessAssignment>
  }
  /** Administration: plans */
  readonly adminPlans: {
    /** The plans that are offered; `include_inactive=true` adds the others. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; include_inactive?: boolean | undefined }, options?: CallOptions): List<Plan>
    /** One plan. Callers: anyone. */
    read(input: { id: number }, options?: CallOptions): Call<Plan>
  }
  /** Administration: settings */
  readonly adminSettings: {
    /** All settings of the platform, grouped by category. Callers: anyone. */
    list(input?: undefined, options?: CallOptions): Call<Record<string, Setting[]>>
    /** Replace the value of a setting; its type and category stay. Callers: anyone. */
    set(input: { key: string } & AdminSettingsSetInput, options?: CallOptions): Call<Setting>
  }
  /** Administration: coupons */
  readonly adminCoupons: {
    /** The coupons of the platform. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<SaasCoupon>
    /** One coupon. Callers: anyone. */
    read(input: { id: number }, options?: CallOptions): Call<SaasCoupon>
  }
  /** Administration: invoices of the platform */
  readonly adminSaasInvoices: {
    /** The platform's invoices to businesses, newest first. Callers: anyone. */
    list(input?: { page?: number | undefined; per_page?: number | undefined; /** Records in this status. */ status?: SaasInvoiceStatus | undefined; business_id?: number | undefined }, options?: CallOptions): List<{
      saas_invoice_id: number
      number: string
      business_id: number
      business_name: string
      /** The state of the invoice; see `GET /meta/state-machines`. */
      status: SaasInvoiceStatus
      currency: string
      period_start: string | null
      period_end: string | null
      coupon_id: number | null
      subtotal: number
      discount_total: number
      tax_total: number
      total_amount: number
      amount_paid: number
      amount_due: number
      issued_on: string
      due_date: string | null
      created_at: string
    }>
    /** One invoice of the platform, with its lines and payments. Callers: anyone. */
    read(input: { id: number }, options?: CallOptions): Call<SaasInvoice>
  }
  /** Privacy */
  readonly privacy: {
    /** Erase a customer from all records but issued invoices; `force` is required while the person has open records. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    eraseCustomer(input: { id: number } & PrivacyEraseCustomerInput, options?: CallOptions): Call<Erasure>
    /** Erase a driver with their positions, documents and account; `force` is required while the person has open records. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    eraseDriver(input: { id: number } & PrivacyEraseCustomerInput, options?: CallOptions): Call<Erasure>
    /** Erase the customer, passenger and booker with an email or a phone number; `force` is required while the person has open records. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    eraseContact(input: PrivacyEraseContactInput, options?: CallOptions): Call<Erasure>
  }
  /** Administration: privacy */
  readonly adminPrivacy: {
    /** Erase a customer, a driver or a contact of a business. Callers: anyone. */
    erasePerson(input: { id: number } & AdminPrivacyErasePersonInput, options?: CallOptions): Call<Erasure>
    /** Erase a user's account, with sessions, devices and memberships. Callers: anyone. */
    eraseUser(input: { id: number } & PrivacyEraseCustomerInput, options?: CallOptions): Call<Erasure>
  }
  /** Notices */
  readonly notices: {
    /** Which notices are sent, by which channels, and in which words. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    read(input?: undefined, options?: CallOptions): Call<NoticeSettings>
    /** Change the channels of some kinds, the times, or the templates, which are replaced as a whole. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    update(input: NoticesUpdateInput, options?: CallOptions): Call<NoticeSettings>
    /** A notice with the facts of a sample: of the given template, or of the stored or default one. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    preview(input: NoticesPreviewInput, options?: CallOptions): Call<NoticePreview>
    /** The gateway for text messages, without its secrets; null if there is none. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readGateway(input?: undefined, options?: CallOptions): Call<{
      url: string
      /** The method of the request. */
      method: StoredTextGatewayMethod
      headers: Array<{
        name: string
        value: string | null
      }>
      body: string | null
      /** How the placeholders are written in the body. */
      body_type: BodyType
      sender: string
      account: string | null
      has_token: boolean
      success: {
        path: string | null
        values: string[]
      }
      reference_path: string | null
      callbacks: StoredTextGatewayCallbacks | null
    } | null>
    /** Set the gateway for text messages; `token` and `secret` stay as they are if they are left out. Only this response has the address for callbacks. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    putGateway(input: NoticesPutGatewayInput, options?: CallOptions): Call<StoredTextGateway>
    /** Remove the gateway for text messages. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    removeGateway(input?: undefined, options?: CallOptions): Call<Deletion>
    /** Send a text message now, and tell what the gateway responded. Callers: an API key of the business, or a user's access token. Roles of members: owner. */
    testGateway(input: NoticesTestGatewayInput, options?: CallOptions): Call<TextGatewayTest>
    /** Which notices a customer wants, and by which channels. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    readPreferences(input: { id: number }, options?: CallOptions): Call<NoticePreferences>
    /** Set which notices a customer wants; null leaves it to the business. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant. */
    changePreferences(input: { id: number } & NoticePreferences, options?: CallOptions): Call<NoticePreferences>
    /** What was told about a trip, with the outcome, the oldest first. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher, accountant, viewer. */
    ofTrip(input: { id: number; page?: number | undefined; per_page?: number | undefined }, options?: CallOptions): List<Notice>
    /** Send a driver a message, by the channels of the kind `driver_message`. Callers: an API key of the business, or a user's access token. Roles of members: owner, dispatcher. */
    message(input: { id: number } & NoticesMessageInput, options?: CallOptions): Call<Notice>
    /** The key by which a browser subscribes to push messages; register it as a device of platform `web`. Callers: a signed-in user. */
    pushKey(input?: undefined, options?: CallOptions): Call<PushKey>
  }
  /** Callbacks of text messages */
  readonly textCallbacks: {
    /** A receipt or a reply (`STOP`, `START`) from a gateway for text messages: JSON or a form, signed as the gateway's settings say. Callers: anyone. */
    receive(input: { token: string }, options?: CallOptions): Call<TextCallback>
  }
}

/** The record in the `data` of each event, by the event's type. */
export interface EventData {
  /** A trip is created */
  "trip.created": Trip
  /** A trip's status, timing, vehicle or passenger details change */
  "trip.updated": Trip
  /** A trip is completed */
  "trip.completed": Trip
  /** A trip is cancelled */
  "trip.cancelled": {
    trip_id: number
    reference: string
    /** The state of the trip; see `GET /meta/state-machines`. */
    status: TripStatus
    /** The progress of the trip's drivers together. */
    driver_status: DriverStatus
    /** How much of the price is paid. */
    payment_status: PaymentStatus
    allowed_transitions: TripStatus[]
    /** The kind of the trip. */
    trip_type: TripType
    trip_date: string
    pickup_at: string
    duration_minutes: number | null
    pickup_address: string
    pickup_postal_code: string | null
    pickup_lat: number | null
    pickup_lng: number | null
    dropoff_address: string
    dropoff_postal_code: string | null
    dropoff_lat: number | null
    dropoff_lng: number | null
    customer_id: number | null
    customer_name: string
    customer_email: string | null
    customer_phone: string | null
    car_id: number | null
    driver_ids: number[]
    drivers: TripDriver[]
    total_amount: number | null
    currency: string
    flight_number: string | null
    terminal: string | null
    participants_count: number | null
    notes: string | null
    special_requirements: string | null
    external_ref: string | null
    po_number: string | null
    cost_center: string | null
    metadata: Record<string, string>
    internal_notes: string | null
    /** The class of the vehicle. */
    vehicle_class: VehicleClass | null
    luggage_count: number | null
    child_seats: Array<{
      type: string
      count: number
    }>
    pickup_sign: string | null
    stops: TripStop[]
    passengers: Array<{
      name: string
      phone: string | null
      email: string | null
    }>
    booker_name: string | null
    booker_email: string | null
    booker_phone: string | null
    group_id: string | null
    linked_trip_id: number | null
    /** The leg of a round trip. */
    leg: "outbound" | "return" | null
    taxes: Array<{
      name: string | null
      rate: number
    }> | null
    tax_included: boolean | null
    distance_m: number | null
    /** What the passenger arrives by; it decides the free waiting time. */
    arrival: Arrival | null
    pickup_airport: string | null
    dropoff_airport: string | null
    meet_and_greet: boolean | null
    waiting_minutes: number | null
    tolls_amount: number | null
    flight_status: FlightStatus | null
    pickup_timezone: string
    pickup_local: string
    /** Why the trip was cancelled. */
    cancel_reason: CancelReason | null
    cancelled_by: string | null
    cancellation_fee: number | null
    cancelled_at: string | null
    completed_at: string | null
    created_at: string
    updated_at: string
    removed_driver_ids: number[]
  }
  /** Drivers are assigned or reassigned to a trip */
  "driver.assigned": {
    trip_id: number
    driver_ids: number[]
    assignments: Array<{
      driver_id: number
      car_id: number | null
    }>
    added_driver_ids: number[]
    removed_driver_ids: number[]
    /** The removed drivers who gave the job back themselves */
    declined_driver_ids: number[]
  }
  /** A quote is accepted, by its customer or by the business */
  "quote.accepted": Quote
  /** An invoice is raised */
  "invoice.created": Invoice
  /** An invoice changes: its timeline has the same entry */
  "invoice.updated": {
    invoice_id: number
    /** The change, as in the timeline; `discarded` if a draft was deleted */
    change: "created" | "updated" | "attached" | "detached" | "customer_linked" | "issued" | "sealed" | "emailed" | "viewed" | "paid" | "refunded" | "refund_failed" | "payment_reversed" | "credit_used" | "credit_returned" | "credit_applied" | "credited" | "corrected" | "reminded" | "fee_voided" | "voided" | "discarded"
    /** The trips that were attached or detached */
    trip_ids: number[]
    /** The names of the fields that an `updated` invoice has other values of */
    fields?: string[]
  }
  /** An invoice becomes fully paid */
  "invoice.paid": {
    invoice_id: number
    status: "paid"
  }
  /** A payment is recorded against an invoice */
  "payment.succeeded": {
    invoice_id: number
    amount: number
    /** Only of an amount that the invoice does not need: it does not count towards the invoice, and is to be refunded */
    kind?: "excess"
    /** With `kind` only: the currency of the amount, which may differ from the invoice's */
    currency?: string
  }
  /** A payment or a refund that was entered by mistake is reversed */
  "payment.reversed": {
    invoice_id: number
    /** The entry that was a typing error */
    payment_id: number
    /** The kind of that entry */
    kind: RefundKind
    amount: number
    currency: string
    reason: string
  }
}

/** The `details` of each error, by the error's type. */
export interface ErrorDetails {
  account_suspended: Array<Record<string, unknown>> | undefined
  business_required: Array<{
    business_id: number
    business_name: string
  }> | undefined
  confirmation_required: Array<Record<string, unknown>> | undefined
  conflict: Array<Record<string, unknown>> | undefined
  email_exists: Array<Record<string, unknown>> | undefined
  email_unverified: Array<Record<string, unknown>> | undefined
  feature_unavailable: Array<Record<string, unknown>> | undefined
  forbidden: Array<Record<string, unknown>> | undefined
  invalid_credentials: Array<Record<string, unknown>> | undefined
  invalid_request: Array<Record<string, unknown>> | Array<{
    field: string
    /** What is wrong with the field. */
    issue: "required" | "invalid" | "too_short" | "too_long" | "out_of_range" | "unknown_value" | "not_found" | "illegal_transition"
  }> | undefined
  not_found: Array<Record<string, unknown>> | undefined
  payment_link_failed: Array<Record<string, unknown>> | undefined
  payment_provider_unavailable: Array<Record<string, unknown>> | undefined
  pdf_unavailable: Array<Record<string, unknown>> | undefined
  plan_limit_exceeded: Array<{
    limit: number
    current: number
    seat_price: number | null
    currency: string
    requires_confirmation: boolean
  }> | undefined
  rate_limited: Array<Record<string, unknown>> | undefined
  server_error: Array<Record<string, unknown>> | undefined
  unauthorized: Array<Record<string, unknown>> | undefined
  usage_limit_reached: Array<Record<string, unknown>> | undefined
}

export interface AuthRegisterInput {
  name: string
  email: string
  password: string
  business_name: string
  mobile_phone?: string | null | undefined
  website_url?: string | null | undefined
}

export interface Registration {
  user_id: number
  business_id: number
  verification_required: boolean
  message: string
}

export interface AuthVerifyEmailInput {
  code: string
}

export interface Verification {
  verified: boolean
  email: string | null
}

export interface AuthLoginInput {
  email: string
  password: string
  device_name?: string | null | undefined
}

export interface Login {
  token_type: "Bearer"
  access_token: string
  expires_in: number
  refresh_token?: string
  user: {
    id: number
    email: string
    /** `S`: a super-admin of the platform; `A`: an administrator of a business; `D`: a driver. */
    account_type: AccountType
  }
  businesses: BusinessSummaries[]
}

export type AccountType = "S" | "A" | "D"

export interface BusinessSummaries {
  business_id: number
  business_name: string
}

export interface AuthSignInWithProviderInput {
  id_token: string
  device_name?: string | null | undefined
}

export interface ProviderReturn {
  token_type: "Bearer"
  access_token: string
  expires_in: number
  refresh_token?: string
  user: {
    id: number
    email: string
    /** `S`: a super-admin of the platform; `A`: an administrator of a business; `D`: a driver. */
    account_type: AccountType
  }
  businesses: BusinessSummaries[]
  needs_business_setup: boolean
}

export interface OfferedProviders {
  issuer: string
  name: string
}

export interface AuthBeginWithProviderInput {
  issuer: string
}

export interface ProviderRedirect {
  authorization_url: string
}

export interface AuthFinishWithProviderInput {
  code: string
  state: string
  iss?: string | null | undefined
  device_name?: string | null | undefined
}

export interface Refresh {
  token_type: "Bearer"
  access_token: string
  expires_in: number
  refresh_token?: string
}

export interface Logout {
  logged_out: boolean
}

export interface AuthRequestResetInput {
  email: string
}

export interface Sending {
  sent: boolean
}

export interface AuthConfirmResetInput {
  code: string
  password: string
}

export interface Reset {
  reset: boolean
}

export interface AuthAcceptInvitationInput {
  code: string
  password: string
  name?: string | null | undefined
}

export interface InvitationAccepted {
  user_id: number
  driver_id?: number
  business_id: number
  /** What the member may do; see the table of areas in the guide. */
  role?: MemberRole
}

export type MemberRole = "owner" | "dispatcher" | "accountant" | "viewer"

export interface User {
  id: number
  email: string
  name: string
  mobile_phone: string | null
  /** `S`: a super-admin of the platform; `A`: an administrator of a business; `D`: a driver. */
  account_type: AccountType
  is_driver: boolean
  driver_id: number | null
}

export interface MeChangeInput {
  name?: string | undefined
  mobile_phone?: string | null | undefined
}

export interface MeChangePasswordInput {
  current_password: string
  new_password: string
}

export interface PasswordChange {
  updated: boolean
  other_sessions_revoked: boolean
}

export interface MeCreateBusinessInput {
  business_name: string
}

export interface Business {
  business_id: number
  business_name: string
  business_email: string
  vendor_slug: string
  /** `A`: active; `D`: suspended. */
  status: "A" | "D"
  subscription_plan_id: number
  /** The state of the business's subscription. */
  subscription_status: SubscriptionStatus
  email_credits: number
  currency: string
  timezone: string
  created_at: string
  updated_at: string
}

export type SubscriptionStatus = "trialing" | "active" | "past_due" | "cancelled"

export interface CreatedApiKey {
  api_key: string
  created_date: string | null
}

export interface ApiKeys {
  api_key: string
  created_date: string | null
  last_used_at: string | null
}

export interface MeDeleteApiKeyInput {
  api_key: string
}

export interface Deletion {
  deleted: boolean
}

export interface SavedView {
  view_id: number
  name: string
  screen: string
  query: string
  shared: boolean
  created_at: string
  updated_at: string
}

export interface MeSaveViewInput {
  name: string
  screen: string
  query: string
}

export interface MeChangeViewInput {
  name?: string | undefined
  screen?: string | undefined
  query?: string | undefined
}

export interface Preferences {
  /** The language of the screens. */
  language: Language | null
  /** The look of the screens; `system` follows the device. */
  theme: Theme
  board: Record<string, unknown>
}

export type Language = "en" | "de" | "fr" | "it" | "es" | "pt" | "nl" | "pl" | "el" | "uk" | "ar"

export type Theme = "system" | "light" | "dark"

export interface MeChangePreferencesInput {
  /** The language of the screens. */
  language?: Language | null | undefined
  /** The look of the screens; `system` follows the device. */
  theme?: Theme | undefined
  board?: Record<string, unknown> | undefined
}

export interface MeRegisterDeviceInput {
  /** The platform of the device. */
  platform: Platform
  device_token: string
  device_name?: string | null | undefined
}

export type Platform = "ios" | "android" | "web"

export interface Device {
  /** The platform of the device. */
  platform: Platform
  device_token: string
  device_name: string | null
}

export interface MeUnregisterDeviceInput {
  device_token: string
}

export interface Ping {
  ok: boolean
  business_id: number
  api_version: string
  time: string
  /** What the member may do; see the table of areas in the guide. */
  role: "owner" | "dispatcher" | "accountant" | "viewer" | "api_key"
  rights: {
    /** What the caller may do in the area. */
    business: PingBusiness
    /** What the caller may do in the area. */
    operations: PingBusiness
    /** What the caller may do in the area. */
    customers: PingBusiness
    /** What the caller may do in the area. */
    sales: PingBusiness
    /** What the caller may do in the area. */
    tariffs: PingBusiness
    /** What the caller may do in the area. */
    pay: PingBusiness
    /** What the caller may do in the area. */
    billing: PingBusiness
    /** What the caller may do in the area. */
    files: PingBusiness
    /** What the caller may do in the area. */
    settings: PingBusiness
    /** What the caller may do in the area. */
    webhooks: PingBusiness
    /** What the caller may do in the area. */
    privacy: PingBusiness
    /** What the caller may do in the area. */
    api_keys: PingBusiness
    /** What the caller may do in the area. */
    members: PingBusiness
  }
}

export type PingBusiness = "none" | "read" | "write"

export interface Member {
  user_id: number
  name: string
  email: string
  /** What the member may do; see the table of areas in the guide. */
  role: MemberRole
  created_at: string
}

export interface StaffInviteInput {
  email: string
  /** What the member may do; see the table of areas in the guide. */
  role: MemberRole
  name?: string | null | undefined
}

export interface MemberInvited {
  email: string
  /** What the member may do; see the table of areas in the guide. */
  role: MemberRole
  sent: boolean
  expires_at: string
}

export interface MemberInvitation {
  email: string
  name: string | null
  /** What the member may do; see the table of areas in the guide. */
  role: MemberRole
  created_at: string
  expires_at: string
}

export interface StaffUpdateInput {
  /** What the member may do; see the table of areas in the guide. */
  role: MemberRole
}

export interface Settings {
  business_id: number
  business_name: string
  business_email: string
  phone: string | null
  address: string | null
  website_url: string | null
  logo_url: string | null
  accent_color: string | null
  vendor_slug: string
  timezone: string
  currency: string
  /** What overlapping trips of a driver or a car do: nothing, a warning, or a refusal until confirmed. */
  clash_policy: ClashPolicy
  drive_time_enforced: boolean
  turnaround_minutes: number
  early_start_minutes: number | null
  holidays: Array<{
    from: string
    to: string | null
  }>
  booking_confirmation_required: boolean
  pickup_pin: boolean
  country: string | null
  locale: string | null
  vat_number: string | null
  tax_number: string | null
  registration_number: string | null
  iban: string | null
  bic: string | null
  payment_terms_days: number | null
  part_payments_allowed: boolean
  dunning: {
    automatic?: boolean
    levels: Array<{
      days: number
      fee?: number
      wordings?: SettingsWordings
    }>
  }
  /** Why the invoice has no tax. */
  untaxed_as: UntaxedAs
  untaxed_reason: string | null
  default_taxes: Array<{
    name: string | null
    rate: number
  }>
  prices_include_tax: boolean
  accounting: {
    datev?: SettingsDatev | null
    quickbooks?: SettingsQuickbooks | null
    xero?: SettingsXero | null
  }
  email_wording: SettingsEmailWording
  booking_page: SettingsBookingPage
  created_at: string
  updated_at: string
}

export type ClashPolicy = "off" | "warn" | "enforce"

export interface SettingsWordings {
  de?: ReminderPreview
  el?: ReminderPreview
  en?: ReminderPreview
  es?: ReminderPreview
  fr?: ReminderPreview
  it?: ReminderPreview
  nl?: ReminderPreview
  pl?: ReminderPreview
  pt?: ReminderPreview
  uk?: ReminderPreview
}

export interface ReminderPreview {
  subject: string
  text: string
}

export type UntaxedAs = "zero_rated" | "exempt" | "reverse_charge" | "outside_scope"

export interface SettingsDatev {
  receivable?: string | null
  revenue?: string | null
  bank?: string | null
  cash?: string | null
  card?: string | null
  other?: string | null
  credit?: string | null
  rates?: SettingsRate[]
  /** The chart of accounts. */
  chart?: "skr03" | "skr04" | null
  adviser_number?: string | null
  client_number?: string | null
  fiscal_year_month?: number | null
  account_length?: number | null
}

export interface SettingsRate {
  rate: number
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null
  account: string
  tax_key?: string | null
}

export interface SettingsQuickbooks {
  receivable?: string | null
  revenue?: string | null
  bank?: string | null
  cash?: string | null
  card?: string | null
  other?: string | null
  credit?: string | null
  rates?: SettingsRate[]
  tax?: string | null
  tax_accounts?: Array<{
    name: string
    account: string
  }>
}

export interface SettingsXero {
  receivable?: string | null
  revenue?: string | null
  bank?: string | null
  cash?: string | null
  card?: string | null
  other?: string | null
  credit?: string | null
  rates?: SettingsRate[]
}

export interface SettingsEmailWording {
  quote_sent: ReminderPreview | null
  quote_accepted: ReminderPreview | null
  booking_confirmed: ReminderPreview | null
  booking_cancelled: ReminderPreview | null
}

export interface SettingsBookingPage {
  lead_minutes: number
  class_leads: Array<{
    /** The class of the vehicle. */
    vehicle_class: VehicleClass
    minutes: number
  }>
  opening_hours: TariffWhen[]
  blackout_dates: Array<{
    from: string
    to: string | null
  }>
  manual_pricing_hours: number
  embed_origins: string[]
  asks_payment: boolean
}

export type VehicleClass = "sedan" | "suv" | "van" | "minibus" | "bus" | "limousine" | "other"

export interface TariffWhen {
  from: string | null
  to: string | null
  weekdays: Weekdays[]
  dates: Array<{
    from: string
    to: string | null
  }>
}

export type Weekdays = "sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat"

export interface SettingsUpdateInput {
  business_name?: string | undefined
  business_email?: string | undefined
  phone?: string | null | undefined
  address?: string | null | undefined
  website_url?: string | null | undefined
  logo_url?: string | null | undefined
  logo_upload_id?: number | null | undefined
  accent_color?: string | null | undefined
  vendor_slug?: string | undefined
  timezone?: string | undefined
  currency?: string | undefined
  /** What overlapping trips of a driver or a car do: nothing, a warning, or a refusal until confirmed. */
  clash_policy?: ClashPolicy | undefined
  drive_time_enforced?: boolean | undefined
  turnaround_minutes?: number | undefined
  early_start_minutes?: number | null | undefined
  holidays?: ReadonlyArray<{
    from: string
    to?: string | null | undefined
  }> | null | undefined
  booking_confirmation_required?: boolean | undefined
  pickup_pin?: boolean | undefined
  country?: string | null | undefined
  locale?: string | null | undefined
  vat_number?: string | null | undefined
  tax_number?: string | null | undefined
  registration_number?: string | null | undefined
  iban?: string | null | undefined
  bic?: string | null | undefined
  payment_terms_days?: number | null | undefined
  part_payments_allowed?: boolean | undefined
  dunning?: {
    automatic?: boolean | undefined
    levels: ReadonlyArray<{
      days: number
      fee?: number | undefined
      wordings?: {
        de?: {
          subject: string
          text: string
        } | undefined
        el?: {
          subject: string
          text: string
        } | undefined
        en?: {
          subject: string
          text: string
        } | undefined
        es?: {
          subject: string
          text: string
        } | undefined
        fr?: {
          subject: string
          text: string
        } | undefined
        it?: {
          subject: string
          text: string
        } | undefined
        nl?: {
          subject: string
          text: string
        } | undefined
        pl?: {
          subject: string
          text: string
        } | undefined
        pt?: {
          subject: string
          text: string
        } | undefined
        uk?: {
          subject: string
          text: string
        } | undefined
      } | undefined
    }>
  } | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | undefined
  untaxed_reason?: string | null | undefined
  default_taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  prices_include_tax?: boolean | undefined
  accounting?: {
    datev?: {
      receivable?: string | null | undefined
      revenue?: string | null | undefined
      bank?: string | null | undefined
      cash?: string | null | undefined
      card?: string | null | undefined
      other?: string | null | undefined
      credit?: string | null | undefined
      rates?: readonly SettingsRateInput[] | undefined
      /** The chart of accounts. */
      chart?: "skr03" | "skr04" | null | undefined
      adviser_number?: string | null | undefined
      client_number?: string | null | undefined
      fiscal_year_month?: number | null | undefined
      account_length?: number | null | undefined
    } | null | undefined
    quickbooks?: {
      receivable?: string | null | undefined
      revenue?: string | null | undefined
      bank?: string | null | undefined
      cash?: string | null | undefined
      card?: string | null | undefined
      other?: string | null | undefined
      credit?: string | null | undefined
      rates?: readonly SettingsRateInput[] | undefined
      tax?: string | null | undefined
      tax_accounts?: ReadonlyArray<{
        name: string
        account: string
      }> | undefined
    } | null | undefined
    xero?: {
      receivable?: string | null | undefined
      revenue?: string | null | undefined
      bank?: string | null | undefined
      cash?: string | null | undefined
      card?: string | null | undefined
      other?: string | null | undefined
      credit?: string | null | undefined
      rates?: readonly SettingsRateInput[] | undefined
    } | null | undefined
  } | null | undefined
  email_wording?: {
    quote_sent?: {
      subject: string
      text: string
    } | null | undefined
    quote_accepted?: {
      subject: string
      text: string
    } | null | undefined
    booking_confirmed?: {
      subject: string
      text: string
    } | null | undefined
    booking_cancelled?: {
      subject: string
      text: string
    } | null | undefined
  } | null | undefined
  booking_page?: {
    lead_minutes?: number | null | undefined
    class_leads?: ReadonlyArray<{
      /** The class of the vehicle. */
      vehicle_class: VehicleClass
      minutes: number
    }> | null | undefined
    opening_hours?: readonly FaresWhenInput[] | null | undefined
    blackout_dates?: ReadonlyArray<{
      from: string
      to?: string | null | undefined
    }> | null | undefined
    manual_pricing_hours?: number | null | undefined
    embed_origins?: readonly string[] | null | undefined
    asks_payment?: boolean | null | undefined
  } | null | undefined
}

export interface SettingsRateInput {
  rate: number
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null | undefined
  account: string
  tax_key?: string | null | undefined
}

export interface FaresWhenInput {
  from?: string | null | undefined
  to?: string | null | undefined
  weekdays?: readonly Weekdays[] | null | undefined
  dates?: ReadonlyArray<{
    from: string
    to?: string | null | undefined
  }> | null | undefined
}

export interface SettingsPreviewReminderInput {
  /** The language of the letter or of the words. */
  language: NoticePreviewLanguage
  wording?: {
    subject: string
    text: string
  } | null | undefined
}

export type NoticePreviewLanguage = "de" | "el" | "en" | "es" | "fr" | "it" | "nl" | "pl" | "pt" | "uk"

export interface InvoiceNumbers {
  format: string
  restarts_each_year: boolean
  next_number: number
  next: string
}

export interface SettingsUpdateInvoiceNumbersInput {
  format?: string | undefined
  restarts_each_year?: boolean | undefined
  next_number?: number | undefined
}

export interface FlightSettings {
  enabled: boolean
  max_earlier_minutes: number
  max_later_minutes: number
  buffer_minutes: number
  check_minutes: number
  available: boolean
}

export interface SettingsUpdateFlightsInput {
  enabled?: boolean | undefined
  max_earlier_minutes?: number | undefined
  max_later_minutes?: number | undefined
  buffer_minutes?: number | undefined
  check_minutes?: number | undefined
}

export interface Car {
  car_id: number
  external_ref: string | null
  name: string
  plate_number: string | null
  make: string | null
  model: string | null
  year: number | null
  color: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  seats: number | null
  luggage: number | null
  photo_url: string | null
  active: boolean
  created_at: string
  updated_at: string
}

export interface CarsCreateInput {
  external_ref?: string | null | undefined
  name: string
  plate_number?: string | null | undefined
  make?: string | null | undefined
  model?: string | null | undefined
  year?: number | null | undefined
  color?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  seats?: number | null | undefined
  luggage?: number | null | undefined
  photo_url?: string | null | undefined
  active?: boolean | null | undefined
}

/** The error that the request for this item alone would have. */
export interface BulkRefusal {
  type: string
  message: string
  details?: Array<Record<string, unknown>>
  details_omitted?: number
}

export interface CarsUpdateInput {
  external_ref?: string | null | undefined
  name?: string | undefined
  plate_number?: string | null | undefined
  make?: string | null | undefined
  model?: string | null | undefined
  year?: number | null | undefined
  color?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  seats?: number | null | undefined
  luggage?: number | null | undefined
  photo_url?: string | null | undefined
  active?: boolean | undefined
}

export interface Driver {
  driver_id: number
  external_ref: string | null
  name: string
  email: string | null
  phone: string | null
  license_number: string | null
  license_expires_on: string | null
  default_car_id: number | null
  photo_url: string | null
  home_address: string | null
  home_lat: number | null
  home_lng: number | null
  active: boolean
  user_id: number | null
  created_at: string
  updated_at: string
}

export interface DriversCreateInput {
  external_ref?: string | null | undefined
  name: string
  email?: string | null | undefined
  phone?: string | null | undefined
  license_number?: string | null | undefined
  license_expires_on?: string | null | undefined
  default_car_id?: number | null | undefined
  photo_url?: string | null | undefined
  home_address?: string | null | undefined
  home_lat?: number | null | undefined
  home_lng?: number | null | undefined
  active?: boolean | null | undefined
  confirm_seat?: boolean | null | undefined
}

export interface FreeDriver {
  driver_id: number
  name: string
  phone: string | null
  car: {
    car_id: number
    name: string
    plate_number: string | null
    /** The class of the vehicle. */
    vehicle_class: VehicleClass | null
    seats: number | null
    free: boolean
  } | null
  previous_job: FreeDriverPreviousJob | null
  next_job: FreeDriverPreviousJob | null
  distance_m: number | null
}

export interface FreeDriverPreviousJob {
  trip_id: number
  reference: string
  from: string
  to: string
  address: string
  lat: number | null
  lng: number | null
}

export interface Absence {
  absence_id: number
  driver_id: number
  /** Why the driver is away. */
  kind: AbsenceKind
  starts_at: string
  ends_at: string
  note: string | null
  created_at: string
}

export type AbsenceKind = "day_off" | "vacation" | "sick" | "off_shift" | "other"

export interface DriversUpdateInput {
  external_ref?: string | null | undefined
  name?: string | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  license_number?: string | null | undefined
  license_expires_on?: string | null | undefined
  default_car_id?: number | null | undefined
  photo_url?: string | null | undefined
  home_address?: string | null | undefined
  home_lat?: number | null | undefined
  home_lng?: number | null | undefined
  active?: boolean | undefined
  confirm_seat?: boolean | null | undefined
  force?: boolean | null | undefined
}

export interface Availability {
  driver_id: number
  date_from: string
  date_to: string
  busy: Array<{
    trip_id: number
    reference: string
    from: string
    to: string
  }>
  absent: Array<{
    absence_id: number
    /** Why the driver is away. */
    kind: AbsenceKind
    from: string
    to: string
  }>
}

export interface DriversAddAbsenceInput {
  /** Why the driver is away. */
  kind?: AbsenceKind | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  starts_at: string
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  ends_at: string
  note?: string | null | undefined
  repeat?: {
    weekdays: ReadonlyArray<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">
    until: string
  } | null | undefined
  force?: boolean | null | undefined
}

export interface AbsencesAdded {
  absences: Absence[]
  warnings: BoardWarning[]
}

export interface BoardWarning {
  /** What to look at before the trip starts. */
  type: BoardType
  driver_id?: number
  car_id?: number
  trip_id?: number
  absence_id?: number
}

export type BoardType = "unassigned" | "late_start" | "schedule_clash" | "car_clash" | "driver_inactive" | "car_inactive" | "too_few_seats" | "other_vehicle_class" | "driver_absent" | "no_time_to_drive" | "license_expired" | "refused_driver" | "likely_duplicate" | "price_outdated"

export interface DriversRemoveAbsencesInput {
  absence_ids: readonly number[]
}

export interface Customer {
  customer_id: number
  external_ref: string | null
  name: string
  email: string | null
  phone: string | null
  company: string | null
  address: string | null
  country: string | null
  vat_number: string | null
  language: string | null
  buyer_reference: string | null
  /** Why the invoice has no tax. */
  untaxed_as: UntaxedAs | null
  untaxed_reason: string | null
  /** Drivers whom the customer prefers: a plan of assignments gives them the customer's trips if that costs little more. */
  preferred_driver_ids: number[]
  /** Drivers whom the customer refuses: a plan gives them none of the customer's trips, and an assignment warns. */
  refused_driver_ids: number[]
  tariff_id: number | null
  payment_terms_days: number | null
  account_number: string | null
  notes: string | null
  created_at: string
  updated_at: string
}

export interface CustomersCreateInput {
  external_ref?: string | null | undefined
  name: string
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  address?: string | null | undefined
  country?: string | null | undefined
  vat_number?: string | null | undefined
  language?: string | null | undefined
  buyer_reference?: string | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null | undefined
  untaxed_reason?: string | null | undefined
  preferred_driver_ids?: readonly number[] | null | undefined
  refused_driver_ids?: readonly number[] | null | undefined
  tariff_id?: number | null | undefined
  payment_terms_days?: number | null | undefined
  account_number?: string | null | undefined
  notes?: string | null | undefined
}

export interface CustomersUpdateInput {
  external_ref?: string | null | undefined
  name?: string | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  company?: string | null | undefined
  address?: string | null | undefined
  country?: string | null | undefined
  vat_number?: string | null | undefined
  language?: string | null | undefined
  buyer_reference?: string | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null | undefined
  untaxed_reason?: string | null | undefined
  preferred_driver_ids?: readonly number[] | null | undefined
  refused_driver_ids?: readonly number[] | null | undefined
  tariff_id?: number | null | undefined
  payment_terms_days?: number | null | undefined
  account_number?: string | null | undefined
  notes?: string | null | undefined
}

export interface Trip {
  trip_id: number
  reference: string
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  /** How much of the price is paid. */
  payment_status: PaymentStatus
  allowed_transitions: TripStatus[]
  /** The kind of the trip. */
  trip_type: TripType
  trip_date: string
  pickup_at: string
  duration_minutes: number | null
  pickup_address: string
  pickup_postal_code: string | null
  pickup_lat: number | null
  pickup_lng: number | null
  dropoff_address: string
  dropoff_postal_code: string | null
  dropoff_lat: number | null
  dropoff_lng: number | null
  customer_id: number | null
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  car_id: number | null
  driver_ids: number[]
  drivers: TripDriver[]
  total_amount: number | null
  currency: string
  flight_number: string | null
  terminal: string | null
  participants_count: number | null
  notes: string | null
  special_requirements: string | null
  external_ref: string | null
  po_number: string | null
  cost_center: string | null
  metadata: Record<string, string>
  internal_notes: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  luggage_count: number | null
  child_seats: Array<{
    type: string
    count: number
  }>
  pickup_sign: string | null
  stops: TripStop[]
  passengers: Array<{
    name: string
    phone: string | null
    email: string | null
  }>
  booker_name: string | null
  booker_email: string | null
  booker_phone: string | null
  group_id: string | null
  linked_trip_id: number | null
  /** The leg of a round trip. */
  leg: "outbound" | "return" | null
  taxes: Array<{
    name: string | null
    rate: number
  }> | null
  tax_included: boolean | null
  distance_m: number | null
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival | null
  pickup_airport: string | null
  dropoff_airport: string | null
  meet_and_greet: boolean | null
  waiting_minutes: number | null
  tolls_amount: number | null
  flight_status: FlightStatus | null
  pickup_timezone: string
  pickup_local: string
  /** Why the trip was cancelled. */
  cancel_reason: CancelReason | null
  cancelled_by: string | null
  cancellation_fee: number | null
  cancelled_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
}

export type TripStatus = "pending" | "confirmed" | "in_progress" | "completed" | "cancelled"

export type DriverStatus = "unassigned" | "assigned" | "en_route" | "completed"

export type PaymentStatus = "unpaid" | "partial" | "paid"

export type TripType = "transfer" | "airport_arrival" | "airport_departure" | "hourly" | "round_trip" | "event" | "other"

export interface TripDriver {
  driver_id: number
  name: string
  /** The state of a driver's assignment. */
  status: BoardStatus
  car_id: number | null
  accepted_at: string | null
  declined_at: string | null
  decline_reason: string | null
  milestones: TripMilestone[]
}

export type BoardStatus = "assigned" | "en_route" | "completed" | "cancelled"

export interface TripMilestone {
  /** A step that the driver reported on the way. */
  milestone: Milestone
  at: string
  lat: number | null
  lng: number | null
  stop_index: number | null
}

export type Milestone = "arrived_at_pickup" | "passenger_on_board" | "arrived_at_stop" | "no_show"

export interface TripStop {
  address: string
  lat: number | null
  lng: number | null
  contact: string | null
  minutes: number | null
}

export type Arrival = "address" | "flight" | "domestic_flight" | "international_flight" | "train" | "ship"

export interface FlightStatus {
  flight: string
  /** The state of the flight. */
  state: State
  scheduled: string | null
  estimated: string | null
  landed: string | null
  terminal: string | null
  gate: string | null
  /** What the flight did to the pickup: nothing, a move, a move up to the limit, nothing because it was set by hand, or nothing because it would clash. */
  pickup: Pickup
  booked_pickup: string
  checked_at: string
}

export type State = "scheduled" | "active" | "landed" | "cancelled" | "diverted"

export type Pickup = "unchanged" | "moved" | "limited" | "kept" | "clash"

export type CancelReason = "customer_request" | "operator" | "no_driver" | "no_show" | "late_cancel" | "duplicate" | "other"

export interface Invoice {
  invoice_id: number
  number: string | null
  customer_id: number | null
  /** The state of the invoice; see `GET /meta/state-machines`. */
  status: InvoiceStatus
  allowed_transitions: InvoiceStatus[]
  currency: string
  items: InvoiceItem[]
  subtotal: number
  tax_total: number
  tax_breakdown: InvoiceTaxBreakdown[]
  total_amount: number
  amount_paid: number
  amount_credited: number
  amount_due: number
  amount_to_refund: number
  issued_on: string
  due_date: string | null
  service_from: string | null
  service_to: string | null
  buyer_reference: string | null
  overdue: boolean
  notes: string | null
  trip_ids: number[]
  /** Why the invoice has no tax. */
  untaxed_as: UntaxedAs
  untaxed_reason: string | null
  corrects_invoice_id: number | null
  corrected_by_invoice_id: number | null
  fee_of_invoice_id: number | null
  reminder_level: number
  last_reminder_at: string | null
  reminder_fees: number
  payment_hash: string
  sent_at: string | null
  /** What became of the email: it waits, the mail server took it, or it was given up. */
  email_status: EmailStatus | null
  email_failed_at: string | null
  viewed_at: string | null
  sealed_at: string | null
  voided_at: string | null
  created_at: string
  updated_at: string
}

export type InvoiceStatus = "draft" | "unpaid" | "partial" | "paid" | "void"

export interface InvoiceItem {
  description: string
  quantity: number
  unit_price: number
  tax_rate: number
  taxes: Array<{
    name: string | null
    rate: number
  }>
  tax_included: boolean
  amount: number
  gross_amount: number | null
  trip_id: number | null
}

export interface InvoiceTaxBreakdown {
  name: string | null
  rate: number
  taxable_amount: number
  tax_amount: number
}

export type EmailStatus = "queued" | "sent" | "failed"

export interface TripBillingMonthInput {
  month: string
  /** The field of the trips that groups the lines. */
  group_by?: "cost_center" | "po_number" | null | undefined
  tax_rate?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  currency?: string | null | undefined
  issued_on?: string | null | undefined
  due_date?: string | null | undefined
  buyer_reference?: string | null | undefined
  notes?: string | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null | undefined
  untaxed_reason?: string | null | undefined
}

export interface MonthlyInvoice {
  invoice_id: number
  number: string | null
  customer_id: number | null
  /** The state of the invoice; see `GET /meta/state-machines`. */
  status: InvoiceStatus
  allowed_transitions: InvoiceStatus[]
  currency: string
  items: InvoiceItem[]
  subtotal: number
  tax_total: number
  tax_breakdown: InvoiceTaxBreakdown[]
  total_amount: number
  amount_paid: number
  amount_credited: number
  amount_due: number
  amount_to_refund: number
  issued_on: string
  due_date: string | null
  service_from: string | null
  service_to: string | null
  buyer_reference: string | null
  overdue: boolean
  notes: string | null
  trip_ids: number[]
  /** Why the invoice has no tax. */
  untaxed_as: UntaxedAs
  untaxed_reason: string | null
  corrects_invoice_id: number | null
  corrected_by_invoice_id: number | null
  fee_of_invoice_id: number | null
  reminder_level: number
  last_reminder_at: string | null
  reminder_fees: number
  payment_hash: string
  sent_at: string | null
  /** What became of the email: it waits, the mail server took it, or it was given up. */
  email_status: EmailStatus | null
  email_failed_at: string | null
  viewed_at: string | null
  sealed_at: string | null
  voided_at: string | null
  created_at: string
  updated_at: string
  left_out: Array<{
    trip_id: number
    /** Why the trip is not on the invoice: it has not ended, its price is in another currency, or it has none. */
    reason: MonthlyRunReason
  }>
}

export type MonthlyRunReason = "not_completed" | "other_currency" | "no_price"

export interface PaymentLink {
  url: string | null
  payment_hash: string
  invoice_id: number
  number: string
  amount_due: number
  currency: string
}

export interface TripBillingStartRunInput {
  month: string
  /** The field of the trips that groups the lines. */
  group_by?: "cost_center" | "po_number" | null | undefined
  tax_rate?: number | null | undefined
  notes?: string | null | undefined
  send?: boolean | null | undefined
}

export interface MonthlyRun {
  run_id: number
  month: string
  /** Whether invoices or emails of the run still wait. */
  status: "running" | "finished"
  trips_without_customer: number
  customers: Array<{
    customer_id: number
    currency: string
    /** Whether the invoice waits, was made, is not needed because all trips are left out, or was refused. */
    outcome: "pending" | "made" | "nothing" | "refused"
    invoice_id: number | null
    left_out: Array<{
      trip_id: number
      /** Why the trip is not on the invoice: it has not ended, its price is in another currency, or it has none. */
      reason: MonthlyRunReason
    }>
    /** Whether the email of the invoice waits, was sent or was refused. */
    sending: "pending" | "sent" | "refused" | null
    reason: string | null
  }>
  created_at: string
  finished_at: string | null
}

export type As = "customers" | "drivers" | "cars" | "trips" | "invoices" | "tariffs"

export interface Import {
  import_id: number
  /** What the lines of the table are. */
  as: As
  dry_run: boolean
  /** Whether lines of the import still wait. */
  status: "running" | "finished" | "failed"
  columns: Array<{
    header: string
    field: string | null
  }>
  lines: number
  done: number
  made: number
  matched: number
  changed: number
  refused: number
  reason: string | null
  created_at: string
  finished_at: string | null
}

export interface ImportColumns {
  columns: Array<{
    header: string
    field: string | null
  }>
  lines: number
  first_lines: Array<{
    line: number
    cells: string[]
  }>
  fields: string[]
  needed: Array<string[]>
}

export type ImportLineStatus = "made" | "matched" | "changed" | "refused"

export interface ImportLine {
  line: number
  /** What became of the line: a new record, a record that is the same, a record that was changed, or nothing. */
  status: ImportLineStatus | null
  record_id: number | null
  reasons: string[]
  cells: string[]
}

export interface FaresCreateInput {
  name: string
  currency: string
  /** The unit of the tariff's distances. */
  distance_unit?: "km" | "mi" | null | undefined
  zones?: readonly FaresZoneInput[] | null | undefined
  classes: readonly FaresClassInput[]
  modifiers?: FaresModifiersInput | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  valid_from?: string | null | undefined
}

export interface FaresZoneInput {
  id: string
  name: string
  /** How the zone is drawn. */
  kind: TariffKind
  prefixes?: readonly string[] | null | undefined
  lat?: number | null | undefined
  lng?: number | null | undefined
  radius_m?: number | null | undefined
  points?: ReadonlyArray<{
    lat: number
    lng: number
  }> | null | undefined
  airport?: string | null | undefined
}

export type TariffKind = "postal" | "circle" | "polygon" | "airport"

export interface FaresClassInput {
  /** The class of the vehicle. */
  vehicle_class: VehicleClass
  max_passengers?: number | null | undefined
  max_luggage?: number | null | undefined
  fixed?: readonly FaresFixedInput[] | null | undefined
  distance?: readonly FaresDistanceInput[] | null | undefined
  hours?: readonly FaresHourInput[] | null | undefined
  days?: readonly FaresDayInput[] | null | undefined
}

export interface FaresFixedInput {
  id?: string | null | undefined
  name?: string | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  includes?: readonly Step[] | null | undefined
  from: string
  to: string
  /** Whether the price also holds for the way back. */
  direction?: "either" | "one_way" | null | undefined
  amount: number
}

export type Step = "base" | "night" | "dates" | "airport" | "meet_and_greet" | "stops" | "child_seats" | "passengers" | "luggage" | "waiting" | "tolls" | "gratuity" | "late_cancellation" | "no_show" | "minimum" | "rounding" | "tax"

export interface FaresDistanceInput {
  id?: string | null | undefined
  name?: string | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  includes?: readonly Step[] | null | undefined
  base?: number | null | undefined
  tiers?: ReadonlyArray<{
    up_to?: number | null | undefined
    amount: number
    per?: number | null | undefined
  }> | null | undefined
  /** Whether each tier prices its own part of the distance, or the reached tier all of it. */
  mode?: "graduated" | "whole" | null | undefined
  started?: boolean | null | undefined
  per_minute?: number | null | undefined
}

export interface FaresHourInput {
  id?: string | null | undefined
  name?: string | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  includes?: readonly Step[] | null | undefined
  per_hour?: number | null | undefined
  increment_minutes?: number | null | undefined
  minimum_minutes?: number | null | undefined
  packages?: ReadonlyArray<{
    minutes: number
    amount: number
    distance?: number | null | undefined
  }> | null | undefined
  distance_per_hour?: number | null | undefined
  extra_distance?: number | null | undefined
}

export interface FaresDayInput {
  id?: string | null | undefined
  name?: string | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  includes?: readonly Step[] | null | undefined
  amount: number
  hours?: number | null | undefined
  distance?: number | null | undefined
  extra_hour?: number | null | undefined
  extra_distance?: number | null | undefined
}

export interface FaresModifiersInput {
  night?: readonly FaresNightInput[] | null | undefined
  dates?: readonly FaresNightInput[] | null | undefined
  airport?: readonly FaresAirportInput[] | null | undefined
  meet_and_greet?: readonly FaresMeetAndGreetInput[] | null | undefined
  stops?: readonly FaresStopInput[] | null | undefined
  child_seats?: readonly FaresChildSeatInput[] | null | undefined
  passengers?: readonly FaresPassengerInput[] | null | undefined
  luggage?: readonly FaresLuggageInput[] | null | undefined
  waiting?: readonly FaresWaitingInput[] | null | undefined
  tolls?: readonly FaresTollInput[] | null | undefined
  gratuity?: readonly FaresGratuityInput[] | null | undefined
  late_cancellation?: readonly FaresLateCancellationInput[] | null | undefined
  no_show?: readonly FaresGratuityInput[] | null | undefined
  minimum?: readonly FaresMeetAndGreetInput[] | null | undefined
  rounding?: {
    id?: string | null | undefined
    to: number
    /** How the total is rounded. */
    mode?: Mode | null | undefined
  } | null | undefined
  tax?: {
    included: boolean
    exempt?: readonly Exempt[] | null | undefined
    rates?: ReadonlyArray<{
      id?: string | null | undefined
      name?: string | null | undefined
      percent: number
    }> | null | undefined
  } | null | undefined
}

export interface FaresNightInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  percent?: number | null | undefined
  amount?: number | null | undefined
}

export interface FaresAirportInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  zone?: string | null | undefined
  pickup?: number | null | undefined
  dropoff?: number | null | undefined
}

export interface FaresMeetAndGreetInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  amount: number
}

export interface FaresStopInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  included?: number | null | undefined
  amount: number
  free_minutes?: number | null | undefined
  per_minute?: number | null | undefined
}

export interface FaresChildSeatInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  types?: readonly string[] | null | undefined
  amounts?: readonly number[] | null | undefined
}

export interface FaresPassengerInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  from: number
  to?: number | null | undefined
  percent?: number | null | undefined
  amount?: number | null | undefined
  each?: boolean | null | undefined
}

export interface FaresLuggageInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  beyond?: number | null | undefined
  amount: number
}

export interface FaresWaitingInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  arrivals?: readonly Arrival[] | null | undefined
  free_minutes?: number | null | undefined
  amount: number
  per_minutes?: number | null | undefined
}

export interface FaresTollInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
  /** Whether the price also holds for the way back. */
  direction?: "either" | "one_way" | null | undefined
  amount: number
}

export interface FaresGratuityInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  percent?: number | null | undefined
  amount?: number | null | undefined
}

export interface FaresLateCancellationInput {
  id?: string | null | undefined
  name?: string | null | undefined
  classes?: readonly VehicleClass[] | null | undefined
  trip_types?: readonly TripType[] | null | undefined
  when?: readonly FaresWhenInput[] | null | undefined
  steps?: readonly FaresStepInput[] | null | undefined
}

export interface FaresStepInput {
  within_minutes?: number | null | undefined
  within_days?: number | null | undefined
  percent?: number | null | undefined
  amount?: number | null | undefined
}

export type Mode = "nearest" | "up" | "down"

export type Exempt = "airport" | "tolls" | "gratuity" | "late_cancellation" | "no_show"

export interface Tariff {
  tariff_id: number
  version: number
  valid_from: string | null
  name: string
  currency: string
  /** The unit of the tariff's distances. */
  distance_unit: "km" | "mi"
  zones: Array<{
    id: string
    name: string
    /** How the zone is drawn. */
    kind: TariffKind
    prefixes: string[]
    lat: number | null
    lng: number | null
    radius_m: number | null
    points: Array<{
      lat: number
      lng: number
    }>
    airport: string | null
  }>
  classes: Array<{
    /** The class of the vehicle. */
    vehicle_class: VehicleClass
    max_passengers: number | null
    max_luggage: number | null
    fixed: Array<{
      id: string | null
      name: string | null
      when: TariffWhen[]
      trip_types: TripType[]
      includes: Step[]
      from: string
      to: string
      /** Whether the price also holds for the way back. */
      direction: "either" | "one_way"
      amount: number
    }>
    distance: Array<{
      id: string | null
      name: string | null
      when: TariffWhen[]
      trip_types: TripType[]
      includes: Step[]
      base: number
      tiers: Array<{
        up_to: number | null
        amount: number
        per: number
      }>
      /** Whether each tier prices its own part of the distance, or the reached tier all of it. */
      mode: "graduated" | "whole"
      started: boolean
      per_minute: number
    }>
    hours: Array<{
      id: string | null
      name: string | null
      when: TariffWhen[]
      trip_types: TripType[]
      includes: Step[]
      per_hour: number | null
      increment_minutes: number
      minimum_minutes: number
      packages: Array<{
        minutes: number
        amount: number
        distance: number | null
      }>
      distance_per_hour: number | null
      extra_distance: number
    }>
    days: Array<{
      id: string | null
      name: string | null
      when: TariffWhen[]
      trip_types: TripType[]
      includes: Step[]
      amount: number
      hours: number
      distance: number | null
      extra_hour: number
      extra_distance: number
    }>
  }>
  modifiers: {
    night: TariffNight[]
    dates: TariffNight[]
    airport: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      zone: string | null
      pickup: number
      dropoff: number
    }>
    meet_and_greet: TariffMeetAndGreet[]
    stops: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      included: number
      amount: number
      free_minutes: number
      per_minute: number
    }>
    child_seats: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      types: string[]
      amounts: number[]
    }>
    passengers: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      from: number
      to: number | null
      percent: number | null
      amount: number | null
      each: boolean
    }>
    luggage: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      beyond: number
      amount: number
    }>
    waiting: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      arrivals: Arrival[]
      free_minutes: number
      amount: number
      per_minutes: number
    }>
    tolls: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      from: string | null
      to: string | null
      /** Whether the price also holds for the way back. */
      direction: "either" | "one_way"
      amount: number
    }>
    gratuity: TariffGratuity[]
    late_cancellation: Array<{
      id: string | null
      name: string | null
      classes: VehicleClass[]
      trip_types: TripType[]
      when: TariffWhen[]
      steps: Array<{
        within_minutes: number | null
        within_days: number | null
        percent: number | null
        amount: number | null
      }>
    }>
    no_show: TariffGratuity[]
    minimum: TariffMeetAndGreet[]
    rounding: {
      id: string | null
      to: number
      /** How the total is rounded. */
      mode: Mode
    } | null
    tax: {
      included: boolean
      exempt: Exempt[]
      rates: Array<{
        id: string | null
        name: string | null
        percent: number
      }>
    } | null
  } | null
  warnings: Array<{
    rule: string
    /** A likely mistake in the tariff. */
    warning: "longer_can_be_cheaper" | "includes_differ" | "discounts_combine"
  }>
  created_at: string
  updated_at: string
}

export interface TariffNight {
  id: string | null
  name: string | null
  classes: VehicleClass[]
  trip_types: TripType[]
  when: TariffWhen[]
  percent: number | null
  amount: number | null
}

export interface TariffMeetAndGreet {
  id: string | null
  name: string | null
  classes: VehicleClass[]
  trip_types: TripType[]
  when: TariffWhen[]
  amount: number
}

export interface TariffGratuity {
  id: string | null
  name: string | null
  classes: VehicleClass[]
  trip_types: TripType[]
  when: TariffWhen[]
  percent: number | null
  amount: number | null
}

export interface FaresUpdateInput {
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  valid_from?: string | null | undefined
  name?: string | undefined
  currency?: string | undefined
  /** The unit of the tariff's distances. */
  distance_unit?: "km" | "mi" | undefined
  zones?: readonly FaresZoneInput[] | undefined
  classes?: readonly FaresClassInput[] | undefined
  modifiers?: FaresModifiersInput | null | undefined
}

export interface TariffVersion {
  version: number
  name: string
  currency: string
  valid_from: string | null
  created_at: string
}

export interface FaresEstimateInput {
  tariff_id?: number | null | undefined
  customer_id?: number | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date: string
  /** The kind of the trip. */
  trip_type?: TripType | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  dropoff_airport?: string | null | undefined
  stops?: ReadonlyArray<{
    lat?: number | null | undefined
    lng?: number | null | undefined
    minutes?: number | null | undefined
  }> | null | undefined
  distance_m?: number | null | undefined
  duration_minutes?: number | null | undefined
  participants_count?: number | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  meet_and_greet?: boolean | null | undefined
  waiting_minutes?: number | null | undefined
  tolls_amount?: number | null | undefined
}

export interface FareEstimate {
  tariff_id: number
  engine_version: number
  tariff_version: number
  currency: string
  inputs: QuoteInputs
  fares: TripFareFare[]
  unavailable: Array<{
    /** The class of the vehicle. */
    vehicle_class: VehicleClass
    /** Why the class has no fare. */
    reason: "no_price" | "distance_unknown" | "duration_unknown" | "too_many_passengers" | "too_much_luggage" | "amount_too_large"
  }>
}

export interface QuoteInputs {
  pickup_local: string
  /** The kind of the trip. */
  trip_type: TripType
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival
  pickup: QuotePickup
  dropoff: QuotePickup
  stop_minutes: number[]
  distance_m: number | null
  duration_minutes: number | null
  /** Whether the route was estimated from great circles or found on roads. */
  route_source: "great_circle" | "road" | null
  passengers: number
  luggage: number
  child_seats: Array<{
    type: string
    count: number
  }>
  meet_and_greet: boolean
  waiting_minutes: number
  tolls_minor: number
  /** What the fare is for: the ride, or the fee of its cancellation. */
  outcome: Outcome
  notice: {
    minutes: number
    days: number
  } | null
}

export interface QuotePickup {
  postal_code: string | null
  lat: number | null
  lng: number | null
  airport: string | null
}

export type Outcome = "ride" | "cancelled" | "no_show" | "waived"

export interface TripFareFare {
  /** The class of the vehicle. */
  vehicle_class: VehicleClass
  lines: QuoteLine[]
  total_amount: number
  tax_amount: number
}

export interface QuoteLine {
  /** The rule of the tariff that made this step of the fare. */
  step: Step
  rule: string
  name: string | null
  inputs: Record<string, number | string>
  of_amount: number | null
  amount: number
}

export interface TripFare {
  trip_id: number
  tariff_id: number
  tariff_version: number
  currency: string
  overridden: boolean
  quoted: TripFareQuoted
  final: TripFareQuoted | null
}

export interface TripFareQuoted {
  engine_version: number
  inputs: QuoteInputs
  fare: TripFareFare
  extra_amount?: number
}

export interface FaresPriceTripInput {
  /** Required unless the trip has a `vehicle_class`, which is the default. */
  vehicle_class?: VehicleClass | null | undefined
  tariff_id?: number | null | undefined
}

export interface DriverPay {
  driver_id: number
  name: string
  schemes: Array<{
    valid_from: string
    name: string
    currency: string
    shares: Array<{
      id: string | null
      steps: Step[]
      percent: number
    }>
    tax_percent: number
    per_hour: number | null
    increment_minutes: number
    minimum_minutes: number
    flat: number | null
    minimum: number | null
  }>
}

export interface DriverPayUpdateInput {
  schemes?: ReadonlyArray<{
    valid_from: string
    name: string
    currency: string
    shares?: ReadonlyArray<{
      id?: string | null | undefined
      steps?: readonly Step[] | null | undefined
      percent: number
    }> | null | undefined
    tax_percent?: number | null | undefined
    per_hour?: number | null | undefined
    increment_minutes?: number | null | undefined
    minimum_minutes?: number | null | undefined
    flat?: number | null | undefined
    minimum?: number | null | undefined
  }> | undefined
}

export interface DriverStatement {
  driver_id: number
  name: string
  from: string
  to: string
  timezone: string
  trips: Array<{
    trip_id: number
    reference: string
    trip_date: string
    pickup_at: string
    pickup_address: string
    dropoff_address: string
    minutes: number
    drivers: number
    scheme: string | null
    currency: string
    lines: Array<{
      /** The rule of the driver's pay that made this line. */
      step: "share" | "hours" | "flat" | "minimum"
      rule: string
      inputs: Record<string, number>
      of_amount: number | null
      amount: number
    }>
    total_amount: number
  }>
  totals: Array<{
    currency: string
    trips: number
    total_amount: number
  }>
}

export interface Product {
  product_id: number
  name: string
  description: string | null
  /** The kind of the product. */
  kind: ProductKind
  price: number
  currency: string
  duration_minutes: number
  capacity: number | null
  taxes: Array<{
    name: string | null
    rate: number
  }> | null
  tax_included: boolean | null
  departures: Array<{
    weekdays: Weekdays[]
    times: string[]
    seats: number
  }>
  pickup_address: string | null
  dropoff_address: string | null
  active: boolean
  created_at: string
  updated_at: string
}

export type ProductKind = "transfer" | "tour" | "hourly" | "other"

export interface ProductsCreateInput {
  name: string
  description?: string | null | undefined
  /** The kind of the product. */
  kind?: ProductKind | null | undefined
  price: number
  currency?: string | null | undefined
  duration_minutes?: number | null | undefined
  capacity?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  departures?: ReadonlyArray<{
    weekdays?: readonly Weekdays[] | null | undefined
    times: readonly string[]
    seats: number
  }> | null | undefined
  pickup_address?: string | null | undefined
  dropoff_address?: string | null | undefined
  active?: boolean | null | undefined
}

export interface ProductsUpdateInput {
  name?: string | undefined
  description?: string | null | undefined
  /** The kind of the product. */
  kind?: ProductKind | undefined
  price?: number | undefined
  currency?: string | undefined
  duration_minutes?: number | undefined
  capacity?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  departures?: ReadonlyArray<{
    weekdays?: readonly Weekdays[] | null | undefined
    times: readonly string[]
    seats: number
  }> | null | undefined
  pickup_address?: string | null | undefined
  dropoff_address?: string | null | undefined
  active?: boolean | undefined
}

export interface Departures {
  starts_at: string
  starts_local: string
  ends_at: string
  places_left: number
  seats: number
  places_taken: number
  trip_id: number | null
  cancelled: boolean
}

export type BookingStatus = "pending" | "confirmed" | "completed" | "cancelled" | "expired"

export interface Booking {
  booking_id: number
  reference: string
  /** The state of the booking; see `GET /meta/state-machines`. */
  status: BookingStatus
  /** How much of the price is paid. */
  payment_status: PaymentStatus
  allowed_transitions: BookingStatus[]
  product_id: number
  starts_at: string
  ends_at: string
  participants_count: number
  customer_id: number | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  pickup_address: string | null
  dropoff_address: string | null
  notes: string | null
  total_amount: number
  currency: string
  trip_id: number | null
  shares_trip: boolean
  invoice_id: number | null
  expires_at: string | null
  confirmed_at: string | null
  cancelled_at: string | null
  created_at: string
  updated_at: string
}

export interface BookingsCreateInput {
  product_id: number
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  starts_at: string
  participants_count?: number | null | undefined
  customer_id?: number | null | undefined
  /** Required unless `customer_id` is sent. */
  customer_name?: string | null | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  pickup_address?: string | null | undefined
  dropoff_address?: string | null | undefined
  notes?: string | null | undefined
}

export interface BookingsUpdateInput {
  /** The state of the booking; see `GET /meta/state-machines`. */
  status?: BookingStatus | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  starts_at?: string | undefined
  participants_count?: number | undefined
  customer_id?: number | null | undefined
  customer_name?: string | null | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  pickup_address?: string | null | undefined
  dropoff_address?: string | null | undefined
  notes?: string | null | undefined
}

export interface BookingBillingPayInput {
  amount: number
  currency?: string | null | undefined
  /** How the payment was made. */
  method: RefundMethod
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  received_at?: string | null | undefined
  reference?: string | null | undefined
  tax_rate?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
}

export type RefundMethod = "card" | "cash" | "bank_transfer" | "other"

export interface BookingPayment {
  payment_id: number
  invoice_id: number
  /** The kind of the entry in the ledger. */
  kind: RefundKind
  amount: number
  currency: string
  /** How the payment was made. */
  method: RefundMethod
  received_at: string
  reference: string | null
  refund_of: number | null
  created_at: string
}

export type RefundKind = "payment" | "refund" | "reversal" | "credit" | "excess" | "excess_refund" | "excess_reversal" | "correction" | "excess_correction" | "credit_used" | "credit_returned" | "from_credit"

export interface BookingPage {
  business_name: string
  vendor_slug: string
  phone: string | null
  website_url: string | null
  logo_url: string | null
  accent_color: string | null
  timezone: string
  currency: string
  booking_confirmation_required: boolean
  booking_page: {
    lead_minutes: number
    class_leads: Array<{
      /** The class of the vehicle. */
      vehicle_class: VehicleClass
      minutes: number
    }>
    opening_hours: TariffWhen[]
    blackout_dates: Array<{
      from: string
      to: string | null
    }>
    manual_pricing_hours: number
  }
  finds_places: boolean
  products: Array<{
    product_id: number
    name: string
    description: string | null
    /** The kind of the product. */
    kind: ProductKind
    price: number
    currency: string
    duration_minutes: number
    departures: Array<{
      weekdays: Weekdays[]
      times: string[]
      seats: number
    }>
    pickup_address: string | null
    dropoff_address: string | null
    price_token: string
    price_valid_until: string
  }>
}

export interface Places {
  name: string
  is_zone: boolean
  airport: string | null
  postal_code: string | null
  lat: number | null
  lng: number | null
}

export interface PublicDepartures {
  starts_at: string
  starts_local: string
  ends_at: string
  places_left: number
}

export interface BookingPagesEstimateInput {
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date: string
  /** The kind of the trip. */
  trip_type?: TripType | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  dropoff_airport?: string | null | undefined
  stops?: ReadonlyArray<{
    lat?: number | null | undefined
    lng?: number | null | undefined
    minutes?: number | null | undefined
  }> | null | undefined
  duration_minutes?: number | null | undefined
  participants_count?: number | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  meet_and_greet?: boolean | null | undefined
}

export interface PublicEstimate {
  currency: string
  fares: Array<{
    /** The class of the vehicle. */
    vehicle_class: VehicleClass
    total_amount: number
    tax_amount: number
    price_token: string
    price_valid_until: string
  }>
  unavailable: Array<{
    /** The class of the vehicle. */
    vehicle_class: VehicleClass
    /** Why the class has no fare. */
    reason: "no_price" | "distance_unknown" | "duration_unknown" | "too_many_passengers" | "too_much_luggage" | "amount_too_large" | "on_request" | "too_late"
  }>
}

export interface BookingPagesRequestQuoteInput {
  /** The kind of the trip. */
  trip_type?: TripType | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date: string
  duration_minutes?: number | null | undefined
  pickup_address: string
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_address: string
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  customer_name: string
  customer_email: string
  customer_phone?: string | null | undefined
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  participants_count?: number | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  pickup_sign?: string | null | undefined
  stops?: readonly TripsStopInput[] | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_airport?: string | null | undefined
  meet_and_greet?: boolean | null | undefined
}

export interface TripsStopInput {
  address: string
  lat?: number | null | undefined
  lng?: number | null | undefined
  contact?: string | null | undefined
  minutes?: number | null | undefined
}

export interface RequestedQuote {
  reference: string
  requested: true
}

export interface BookingPagesBookProductInput {
  product_id: number
  price_token?: string | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  starts_at: string
  participants_count?: number | null | undefined
  pickup_address?: string | null | undefined
  dropoff_address?: string | null | undefined
  notes?: string | null | undefined
  customer_name: string
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
}

export interface PublicBooking {
  reference: string
  /** The state of the booking; see `GET /meta/state-machines`. */
  status: BookingStatus
  starts_at: string
  ends_at: string
  participants_count: number
  total_amount: number
  currency: string
  expires_at: string | null
  payment_hash: string | null
}

export interface BookingPagesBookTripInput {
  price_token: string
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date?: string | null | undefined
  customer_name: string
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  pickup_address: string
  dropoff_address: string
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  pickup_sign?: string | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
}

export interface PublicTrip {
  reference: string
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  trip_date: string
  pickup_at: string
  pickup_address: string
  dropoff_address: string
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  total_amount: number | null
  currency: string
  tracking_token: string
  payment_hash: string | null
}

export type QuoteStatus = "draft" | "sent" | "accepted" | "converted" | "rejected" | "expired"

export interface Quote {
  quote_id: number
  reference: string
  /** The state of the quote; see `GET /meta/state-machines`. */
  status: QuoteStatus
  allowed_transitions: QuoteStatus[]
  version: number
  customer_id: number | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  currency: string
  valid_until: string | null
  total_amount: number | null
  notes: string | null
  trip_ids: number[]
  sent_at: string | null
  accepted_at: string | null
  accepted_by: string | null
  accepted_address: string | null
  rejected_at: string | null
  reject_reason: string | null
  converted_at: string | null
  created_at: string
  updated_at: string
  items: QuoteItem[]
}

export interface QuoteItem {
  description: string
  trip: Record<string, unknown> | null
  amount: number | null
  fare: QuoteFare | null
}

export interface QuoteFare {
  tariff_id: number
  tariff_version: number
  engine_version: number
  inputs: QuoteInputs
  fare: TripFareFare
}

export interface QuotesCreateInput {
  customer_id?: number | null | undefined
  /** Required unless `customer_id` is sent. */
  customer_name?: string | null | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  currency?: string | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  valid_until?: string | null | undefined
  items: ReadonlyArray<{
    description: string
    trip?: TripsCreateInput | null | undefined
    amount?: number | null | undefined
  }>
  notes?: string | null | undefined
}

export type TripsCreateInput = {
  /** The kind of the trip. */
  trip_type?: TripType | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date: string
  duration_minutes?: number | null | undefined
  pickup_address: string
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_address: string
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  customer_id?: number | null | undefined
  /** Required unless `customer_id` is sent. */
  customer_name?: string | null | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  car_id?: number | null | undefined
  total_amount?: number | null | undefined
  currency?: string | null | undefined
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  participants_count?: number | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
  external_ref?: string | null | undefined
  po_number?: string | null | undefined
  cost_center?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  internal_notes?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  pickup_sign?: string | null | undefined
  stops?: readonly TripsStopInput[] | null | undefined
  passengers?: ReadonlyArray<{
    name: string
    phone?: string | null | undefined
    email?: string | null | undefined
  }> | null | undefined
  booker_name?: string | null | undefined
  booker_email?: string | null | undefined
  booker_phone?: string | null | undefined
  group_id?: string | null | undefined
  linked_trip_id?: number | null | undefined
  /** The leg of a round trip. */
  leg?: "outbound" | "return" | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  distance_m?: number | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_airport?: string | null | undefined
  meet_and_greet?: boolean | null | undefined
  waiting_minutes?: number | null | undefined
  tolls_amount?: number | null | undefined
  pickup_timezone?: string | null | undefined
  force?: boolean | null | undefined
} & ({ customer_name: {} } | { customer_id: {} })

export interface QuotesUpdateInput {
  customer_id?: number | null | undefined
  customer_name?: string | null | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  currency?: string | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  valid_until?: string | null | undefined
  items?: ReadonlyArray<{
    description: string
    trip?: TripsCreateInput | null | undefined
    amount?: number | null | undefined
  }> | undefined
  notes?: string | null | undefined
}

export interface QuotesPriceInput {
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  tariff_id?: number | null | undefined
  amounts?: readonly number[] | null | undefined
}

export interface SentQuote {
  quote_id: number
  reference: string
  /** The state of the quote; see `GET /meta/state-machines`. */
  status: QuoteStatus
  allowed_transitions: QuoteStatus[]
  version: number
  customer_id: number | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  currency: string
  valid_until: string | null
  total_amount: number | null
  notes: string | null
  trip_ids: number[]
  sent_at: string | null
  accepted_at: string | null
  accepted_by: string | null
  accepted_address: string | null
  rejected_at: string | null
  reject_reason: string | null
  converted_at: string | null
  created_at: string
  updated_at: string
  items: QuoteItem[]
  token: string
  public_url: string
}

export interface PublicQuote {
  reference: string
  /** The state of the quote; see `GET /meta/state-machines`. */
  status: QuoteStatus
  allowed_transitions: QuoteStatus[]
  business_name: string
  business: DriverOffice
  timezone: string
  customer_name: string | null
  currency: string
  items: Array<{
    description: string
    amount: number | null
    trip_date: string | null
    pickup_local: string | null
    pickup_timezone: string | null
    pickup_address: string | null
    dropoff_address: string | null
  }>
  total_amount: number | null
  valid_until: string | null
  valid_until_local: string | null
  accepted_at: string | null
}

export interface DriverOffice {
  business_name: string
  phone: string | null
  logo_url: string | null
  accent_color: string | null
}

export interface PublicQuotesAcceptInput {
  name: string
}

export interface ChangedTrip {
  trip_id: number
  reference: string
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  /** How much of the price is paid. */
  payment_status: PaymentStatus
  allowed_transitions: TripStatus[]
  /** The kind of the trip. */
  trip_type: TripType
  trip_date: string
  pickup_at: string
  duration_minutes: number | null
  pickup_address: string
  pickup_postal_code: string | null
  pickup_lat: number | null
  pickup_lng: number | null
  dropoff_address: string
  dropoff_postal_code: string | null
  dropoff_lat: number | null
  dropoff_lng: number | null
  customer_id: number | null
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  car_id: number | null
  driver_ids: number[]
  drivers: TripDriver[]
  total_amount: number | null
  currency: string
  flight_number: string | null
  terminal: string | null
  participants_count: number | null
  notes: string | null
  special_requirements: string | null
  external_ref: string | null
  po_number: string | null
  cost_center: string | null
  metadata: Record<string, string>
  internal_notes: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  luggage_count: number | null
  child_seats: Array<{
    type: string
    count: number
  }>
  pickup_sign: string | null
  stops: TripStop[]
  passengers: Array<{
    name: string
    phone: string | null
    email: string | null
  }>
  booker_name: string | null
  booker_email: string | null
  booker_phone: string | null
  group_id: string | null
  linked_trip_id: number | null
  /** The leg of a round trip. */
  leg: "outbound" | "return" | null
  taxes: Array<{
    name: string | null
    rate: number
  }> | null
  tax_included: boolean | null
  distance_m: number | null
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival | null
  pickup_airport: string | null
  dropoff_airport: string | null
  meet_and_greet: boolean | null
  waiting_minutes: number | null
  tolls_amount: number | null
  flight_status: FlightStatus | null
  pickup_timezone: string
  pickup_local: string
  /** Why the trip was cancelled. */
  cancel_reason: CancelReason | null
  cancelled_by: string | null
  cancellation_fee: number | null
  cancelled_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
  warnings: BoardWarning[]
}

export interface TripsUpdateInput {
  /** The state of the trip; see `GET /meta/state-machines`. */
  status?: TripStatus | null | undefined
  /** The kind of the trip. */
  trip_type?: TripType | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date?: string | undefined
  duration_minutes?: number | null | undefined
  pickup_address?: string | undefined
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_address?: string | undefined
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  customer_id?: number | null | undefined
  customer_name?: string | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  car_id?: number | null | undefined
  total_amount?: number | null | undefined
  currency?: string | undefined
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  participants_count?: number | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
  external_ref?: string | null | undefined
  po_number?: string | null | undefined
  cost_center?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  internal_notes?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  pickup_sign?: string | null | undefined
  stops?: readonly TripsStopInput[] | null | undefined
  passengers?: ReadonlyArray<{
    name: string
    phone?: string | null | undefined
    email?: string | null | undefined
  }> | null | undefined
  booker_name?: string | null | undefined
  booker_email?: string | null | undefined
  booker_phone?: string | null | undefined
  group_id?: string | null | undefined
  linked_trip_id?: number | null | undefined
  /** The leg of a round trip. */
  leg?: "outbound" | "return" | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  distance_m?: number | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_airport?: string | null | undefined
  meet_and_greet?: boolean | null | undefined
  waiting_minutes?: number | null | undefined
  tolls_amount?: number | null | undefined
  pickup_timezone?: string | null | undefined
  /** Why the trip was cancelled. */
  cancel_reason?: CancelReason | null | undefined
  cancellation_fee?: number | null | undefined
  force?: boolean | null | undefined
  /** `true`: the response is that of the change, but nothing is changed. */
  dry_run?: boolean | null | undefined
  email?: boolean | null | undefined
}

export interface TripsReportDriverStatusInput {
  /** Required unless `milestone`, `undo` or `accepted` is sent. */
  status?: BoardStatus | null | undefined
  /** `true` accepts the job, `false` takes that back. A repetition changes nothing, and neither does an answer after the start. It is sent alone, or with the pickup that the driver saw. */
  accepted?: boolean | null | undefined
  /** The time of the pickup as the driver saw it, with `accepted`. If the pickup is another one by now, it is a 409 `conflict`. */
  trip_date?: string | null | undefined
  pickup_address?: string | null | undefined
  /** `true` returns an assignment that is `en_route` to `assigned`: a driver may do so within 2 minutes of the start, or of the arrival of its report. With a `milestone`, it removes that milestone, which only an operator may do, with a `reason`. */
  undo?: boolean | null | undefined
  /** Confirms a start that is more than `early_start_minutes` (settings) before the pickup. */
  force?: boolean | null | undefined
  reason?: string | null | undefined
  /** A step that the driver reported on the way. */
  milestone?: Milestone | null | undefined
  pickup_pin?: string | null | undefined
  /** The stop that was reached, as its position in `stops`, from 0. Required for `arrived_at_stop`, `invalid` for anything else. */
  stop_index?: number | null | undefined
  /** The place where the milestone was reached; without a `milestone` it is `invalid`. */
  lat?: number | null | undefined
  /** The place where the milestone was reached; without a `milestone` it is `invalid`. */
  lng?: number | null | undefined
  /** The time at which the milestone was reached, the driver started (`en_route`) or a start was undone, now by default. A start or an undoing that is dated later than now, or more than 6 hours ago, counts from now. For any other report it is `invalid`. */
  at?: string | null | undefined
  driver_id?: number | null | undefined
}

export type TripsAssignInput = {
  /** Required unless `assignments` is sent. */
  driver_ids?: readonly number[] | undefined
  assignments?: ReadonlyArray<{
    driver_id: number
    /** The car that the driver drives on this trip. Without one it is the trip's; if the trip has none either, it is the driver's default car. */
    car_id?: number | null | undefined
  }> | undefined
  force?: boolean | null | undefined
} & ({ driver_ids: {} } | { assignments: {} })

export interface Assignment {
  trip: Trip
  drivers: Array<{
    driver_id: number
    name: string
    /** The state of a driver's assignment. */
    status: BoardStatus
    car_id: number | null
    /** The token for links to `/driver/*`; returned only when the driver is added, null afterwards. */
    driver_token: string | null
  }>
  warnings: BoardWarning[]
}

export interface Timeline {
  change_id: number
  at: string
  actor: string
  actor_name: string | null
  /** What happened to the trip. */
  change: "created" | "updated" | "status_changed" | "driver_assigned" | "driver_removed" | "driver_status_changed" | "driver_car_changed" | "driver_accepted" | "driver_acceptance_ended" | "milestone_reached" | "milestone_removed" | "notice" | "deleted"
  driver_id: number | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export interface TripsReopenInput {
  reason: string
  force?: boolean | null | undefined
}

export interface TripTemplatesBookInput {
  /** The kind of the trip. */
  trip_type?: TripType | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  trip_date?: string | undefined
  duration_minutes?: number | null | undefined
  pickup_address?: string | undefined
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_address?: string | undefined
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  customer_id?: number | null | undefined
  customer_name?: string | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  car_id?: number | null | undefined
  total_amount?: number | null | undefined
  currency?: string | undefined
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  participants_count?: number | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
  external_ref?: string | null | undefined
  po_number?: string | null | undefined
  cost_center?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  internal_notes?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  pickup_sign?: string | null | undefined
  stops?: readonly TripsStopInput[] | null | undefined
  passengers?: ReadonlyArray<{
    name: string
    phone?: string | null | undefined
    email?: string | null | undefined
  }> | null | undefined
  booker_name?: string | null | undefined
  booker_email?: string | null | undefined
  booker_phone?: string | null | undefined
  group_id?: string | null | undefined
  linked_trip_id?: number | null | undefined
  /** The leg of a round trip. */
  leg?: "outbound" | "return" | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  distance_m?: number | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_airport?: string | null | undefined
  meet_and_greet?: boolean | null | undefined
  waiting_minutes?: number | null | undefined
  tolls_amount?: number | null | undefined
  pickup_timezone?: string | null | undefined
  force?: boolean | null | undefined
}

export interface TripsRepeatInput {
  /** A rule as in calendars (RFC 5545), such as `FREQ=WEEKLY;BYDAY=MO,TH`. Known are `FREQ` (`DAILY`, `WEEKLY`, `MONTHLY`), `INTERVAL`, `BYDAY`, `BYMONTHDAY`, `COUNT` (with the trip itself) and `UNTIL` (a day, or a moment in UTC). */
  rrule: string
  until: string
  except?: readonly string[] | null | undefined
  /** Whether holidays get no copy of the trip, or one as other days do. */
  holidays?: "skip" | "keep" | null | undefined
  force?: boolean | null | undefined
}

export interface RepeatedTrip {
  group_id: string
  trips: ChangedTrip[]
  /** The days of the rule that have no copy because they are holidays. */
  skipped_holidays: string[]
}

export interface InvoicesCreateInput {
  /** A draft has no number, and can be neither sent nor paid, until it is issued. */
  draft?: boolean | undefined
  customer_id?: number | null | undefined
  currency?: string | null | undefined
  /** Required unless `trip_ids` is sent; each trip then gets a line. */
  items?: readonly InvoicesItemInput[] | null | undefined
  issued_on?: string | null | undefined
  due_date?: string | null | undefined
  service_from?: string | null | undefined
  service_to?: string | null | undefined
  buyer_reference?: string | null | undefined
  notes?: string | null | undefined
  trip_ids?: readonly number[] | null | undefined
  tax_rate?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | null | undefined
  untaxed_reason?: string | null | undefined
}

export interface InvoicesItemInput {
  description: string
  quantity?: number | null | undefined
  unit_price: number
  tax_rate?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  trip_id?: number | null | undefined
}

export interface InvoicesUpdateInput {
  customer_id?: number | null | undefined
  items?: readonly InvoicesItemInput[] | undefined
  issued_on?: string | undefined
  due_date?: string | null | undefined
  service_from?: string | null | undefined
  service_to?: string | null | undefined
  buyer_reference?: string | null | undefined
  notes?: string | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | undefined
  untaxed_reason?: string | null | undefined
}

export interface InvoicesCorrectInput {
  customer_id?: number | null | undefined
  items?: readonly InvoicesItemInput[] | undefined
  issued_on?: string | undefined
  due_date?: string | null | undefined
  service_from?: string | null | undefined
  service_to?: string | null | undefined
  buyer_reference?: string | null | undefined
  notes?: string | null | undefined
  /** Why the invoice has no tax. */
  untaxed_as?: UntaxedAs | undefined
  untaxed_reason?: string | null | undefined
  /** Why the credit note was written. */
  reason?: CreditNoteReason | null | undefined
}

export type CreditNoteReason = "cancellation" | "price" | "complaint" | "duplicate" | "other"

export interface InvoiceTimeline {
  change_id: number
  at: string
  actor: string
  actor_name: string | null
  /** What happened to the invoice. */
  change: "created" | "updated" | "attached" | "detached" | "customer_linked" | "issued" | "sealed" | "emailed" | "viewed" | "paid" | "refunded" | "refund_failed" | "payment_reversed" | "credit_used" | "credit_returned" | "credit_applied" | "credited" | "corrected" | "reminded" | "fee_voided" | "voided"
  fields: string[]
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

export interface InvoicesAttachTripsInput {
  trip_ids: readonly number[]
  tax_rate?: number | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
}

export interface InvoicesDetachTripsInput {
  trip_ids: readonly number[]
}

export interface InvoicesPayInput {
  amount: number
  currency?: string | null | undefined
  /** How the payment was made. */
  method: RefundMethod
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  received_at?: string | null | undefined
  reference?: string | null | undefined
}

export interface Payment {
  payment_id: number
  invoice_id: number
  /** The kind of the entry in the ledger. */
  kind: RefundKind
  amount: number
  currency: string
  /** How the payment was made. */
  method: RefundMethod
  received_at: string
  reference: string | null
  refund_of: number | null
  created_at: string
  excess_amount: number
}

export interface InvoicesReverseInput {
  reason: string
}

export interface Reversal {
  payment_id: number
  invoice_id: number
  /** The kind of the entry in the ledger. */
  kind: RefundKind
  amount: number
  currency: string
  /** How the payment was made. */
  method: RefundMethod
  received_at: string
  reference: string | null
  refund_of: number | null
  created_at: string
  reversed_amount: number
  entries: BookingPayment[]
}

export interface InvoicesRefundInput {
  amount?: number | null | undefined
  currency?: string | null | undefined
  reference?: string | null | undefined
}

export interface Refund {
  payment_id: number
  invoice_id: number
  /** The kind of the entry in the ledger. */
  kind: RefundKind
  amount: number
  currency: string
  /** How the payment was made. */
  method: RefundMethod
  received_at: string
  reference: string | null
  refund_of: number | null
  created_at: string
  refunded_amount: number
  entries: BookingPayment[]
}

export interface InvoiceEmail {
  /** What became of the email: it waits, the mail server took it, or it was given up. */
  email_status: EmailStatus
  to: string
  sent_at: string
  email_credits: number
  missing_characters: string[]
}

export interface Reminder {
  invoice_id: number
  level: number
  /** What became of the email: it waits, the mail server took it, or it was given up. */
  email_status: EmailStatus
  to: string
  sent_at: string
  fee: number
  fee_invoice_id: number | null
}

export interface CreditNotesCreateInput {
  /** Why the credit note was written. */
  reason?: CreditNoteReason | null | undefined
  items?: readonly InvoicesItemInput[] | null | undefined
  refund?: boolean | null | undefined
  notes?: string | null | undefined
}

export interface CreditNote {
  credit_note_id: number
  invoice_id: number
  number: string
  /** Why the credit note was written. */
  reason: CreditNoteReason
  currency: string
  items: InvoiceItem[]
  subtotal: number
  tax_total: number
  tax_breakdown: InvoiceTaxBreakdown[]
  total_amount: number
  refund_amount: number
  notes: string | null
  created_at: string
}

export interface FailedLetter {
  letter_id: number
  /** The kind of the letter. */
  kind: "invoice" | "reminder" | "statement" | "quote_sent" | "quote_accepted" | "booking_confirmed" | "booking_cancelled" | "notice"
  reference: string
  attempts: number
  reason: string
  posted_at: string
  failed_at: string
}

export interface Remittance {
  remittance_id: number
  amount: number
  currency: string
  /** How the payment was made. */
  method: RefundMethod
  received_at: string
  reference: string | null
  allocations: Array<{
    invoice_id: number
    payment_id: number
    /** The kind of the entry in the ledger. */
    kind: RefundKind
    amount: number
  }>
  unallocated_amount: number
  created_at: string
}

export interface RemittancesCreateInput {
  customer_id?: number | null | undefined
  amount: number
  currency?: string | null | undefined
  /** How the payment was made. */
  method?: RefundMethod | null | undefined
  received_on?: string | null | undefined
  reference?: string | null | undefined
  allocations: ReadonlyArray<{
    invoice_id: number
    amount: number
  }>
}

export interface CustomerCredit {
  customer_id: number
  balances: Array<{
    currency: string
    amount: number
    invoices: Array<{
      invoice_id: number
      number: string
      amount: number
    }>
  }>
}

export interface BankStatement {
  statement_id: number
  /** The format of the file. */
  format: "camt.053" | "csv"
  account: string | null
  read_count: number
  entry_count: number
  open_count: number
  created_at: string
}

export type BankEntryStatus = "open" | "confirmed" | "ignored"

export interface BankEntry {
  entry_id: number
  statement_id: number
  /** Whether the entry waits for a person, pays invoices, or pays none. */
  status: BankEntryStatus
  /** Whether the amount came in or went out. */
  direction: "credit" | "debit"
  booked_on: string
  amount: number
  currency: string
  payer_name: string | null
  text: string | null
  structured_reference: string | null
  bank_reference: string | null
  remittance_id: number | null
  proposals: Array<{
    invoice_id: number
    number: string
    customer_name: string | null
    amount_due: number
    reasons: Array<"reference" | "amount" | "name">
  }>
  created_at: string
}

export interface BankStatementsConfirmInput {
  allocations: ReadonlyArray<{
    invoice_id: number
    amount: number
  }>
}

export interface TaxReport {
  from: string
  to: string
  rows: Array<{
    period: string
    country: string | null
    tax_name: string | null
    tax_rate: number
    /** Why the invoice has no tax. */
    untaxed_as: UntaxedAs | null
    currency: string
    net: number
    tax: number
    invoices: number
    credit_notes: number
  }>
  totals: Array<{
    currency: string
    net: number
    tax: number
    total: number
  }>
}

export interface CustomerStatement {
  customer_id: number
  from: string
  to: string
  accounts: Array<{
    currency: string
    opening_balance: number
    closing_balance: number
    lines: Array<{
      day: string
      /** What the line of the statement is about. */
      type: "invoice" | "fee" | "voided" | "credit_note" | "payment" | "refund" | "refund_failed" | "payment_reversed" | "credit_used"
      invoice_id: number
      number: string
      reference: string | null
      amount: number
      balance: number
    }>
  }>
}

export interface StatementsSendInput {
  from: string
  to: string
  email?: string | null | undefined
  message?: string | null | undefined
}

export interface StatementEmail {
  /** What became of the email: it waits, the mail server took it, or it was given up. */
  email_status: EmailStatus
  email: string
  sent_at: string
  email_credits: number
}

export interface PublicInvoice {
  business_name: string
  business: DriverOffice
  bank_account: {
    holder: string
    iban: string
    bic: string | null
  } | null
  card: {
    publishable_key: string
    api_base: string | null
  } | null
  part_payments_allowed: boolean
  number: string
  /** The state of the invoice; see `GET /meta/state-machines`. */
  status: InvoiceStatus
  currency: string
  subtotal: number
  tax_total: number
  tax_breakdown: InvoiceTaxBreakdown[]
  total_amount: number
  amount_paid: number
  amount_credited: number
  amount_due: number
  due_date: string | null
  overdue: boolean
  created_at: string
  items: Array<{
    description: string
    quantity: number
    unit_price: number
    tax_rate: number
    taxes: Array<{
      name: string | null
      rate: number
    }>
    tax_included: boolean
    amount: number
    gross_amount: number | null
  }>
}

export interface CardPayment {
  client_secret: string
  amount: number
  currency: string
}

export interface PaymentNoticesStripeInput {
  /** The event's id; each event is handled once. */
  id: string
}

export interface TextCallback {
  received: boolean
}

export interface Endpoint {
  endpoint_id: number
  url: string
  events: EventType[]
  /** Whether events are sent to the endpoint. */
  status: "enabled" | "disabled"
  allowed_transitions: Array<"enabled" | "disabled">
  created_at: string
  updated_at: string
}

export type EventType = "trip.created" | "trip.updated" | "trip.completed" | "trip.cancelled" | "driver.assigned" | "quote.accepted" | "invoice.created" | "invoice.updated" | "invoice.paid" | "payment.succeeded" | "payment.reversed" | "payment.failed"

export interface WebhooksCreateInput {
  url: string
  events: readonly EventType[]
}

export interface CreatedEndpoint {
  endpoint_id: number
  url: string
  events: EventType[]
  /** Whether events are sent to the endpoint. */
  status: "enabled" | "disabled"
  allowed_transitions: Array<"enabled" | "disabled">
  created_at: string
  updated_at: string
  secret: string
}

export interface WebhooksUpdateInput {
  url?: string | undefined
  events?: readonly EventType[] | undefined
  /** Whether events are sent to the endpoint. */
  status?: "enabled" | "disabled" | null | undefined
}

export interface WebhooksTestInput {
  /** The type of the event; it decides the record in `data`. */
  event_type: "trip.created" | "trip.updated" | "trip.completed" | "trip.cancelled" | "driver.assigned" | "quote.accepted" | "invoice.created" | "invoice.updated" | "invoice.paid" | "payment.succeeded" | "payment.reversed"
}

export interface Delivery {
  delivery_id: number
  event_id: string
  /** The type of the event; it decides the record in `data`. */
  event_type: EventType
  /** The state of the delivery; see `GET /meta/state-machines`. */
  status: DeliveryStatus
  attempt: number
  next_attempt_at: string | null
  last_error: string | null
  response_status: number | null
  created_at: string
  attempts: Array<{
    attempt: number
    started_at: string
    duration_ms: number
    response_status: number | null
    error: string | null
  }>
  allowed_transitions: DeliveryStatus[]
}

export type DeliveryStatus = "pending" | "delivered" | "failed"

/** An event. `type` says which record `data` is. Later versions may add types. */
export type Event = TripCreatedEvent | TripUpdatedEvent | TripCompletedEvent | TripCancelledEvent | DriverAssignedEvent | QuoteAcceptedEvent | InvoiceCreatedEvent | InvoiceUpdatedEvent | InvoicePaidEvent | PaymentSucceededEvent | PaymentReversedEvent

export interface TripCreatedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "trip.created"
  /** Unix seconds of the change. */
  created: number
  data: TripCreatedEventData
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface TripCreatedEventData {
  trip_id: number
  reference: string
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  /** How much of the price is paid. */
  payment_status: PaymentStatus
  allowed_transitions: TripStatus[]
  /** The kind of the trip. */
  trip_type: TripType
  trip_date: string
  pickup_at: string
  duration_minutes: number | null
  pickup_address: string
  pickup_postal_code: string | null
  pickup_lat: number | null
  pickup_lng: number | null
  dropoff_address: string
  dropoff_postal_code: string | null
  dropoff_lat: number | null
  dropoff_lng: number | null
  customer_id: number | null
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  car_id: number | null
  driver_ids: number[]
  drivers: TripDriver[]
  total_amount: number | null
  currency: string
  flight_number: string | null
  terminal: string | null
  participants_count: number | null
  notes: string | null
  special_requirements: string | null
  external_ref: string | null
  po_number: string | null
  cost_center: string | null
  metadata: Record<string, string>
  internal_notes: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  luggage_count: number | null
  child_seats: Array<{
    type: string
    count: number
  }>
  pickup_sign: string | null
  stops: TripStop[]
  passengers: Array<{
    name: string
    phone: string | null
    email: string | null
  }>
  booker_name: string | null
  booker_email: string | null
  booker_phone: string | null
  group_id: string | null
  linked_trip_id: number | null
  /** The leg of a round trip. */
  leg: "outbound" | "return" | null
  taxes: Array<{
    name: string | null
    rate: number
  }> | null
  tax_included: boolean | null
  distance_m: number | null
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival | null
  pickup_airport: string | null
  dropoff_airport: string | null
  meet_and_greet: boolean | null
  waiting_minutes: number | null
  tolls_amount: number | null
  flight_status: FlightStatus | null
  pickup_timezone: string
  pickup_local: string
  /** Why the trip was cancelled. */
  cancel_reason: CancelReason | null
  cancelled_by: string | null
  cancellation_fee: number | null
  cancelled_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
}

export interface TripUpdatedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "trip.updated"
  /** Unix seconds of the change. */
  created: number
  data: TripCreatedEventData
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface TripCompletedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "trip.completed"
  /** Unix seconds of the change. */
  created: number
  data: TripCreatedEventData
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface TripCancelledEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "trip.cancelled"
  /** Unix seconds of the change. */
  created: number
  data: {
    trip_id: number
    reference: string
    /** The state of the trip; see `GET /meta/state-machines`. */
    status: TripStatus
    /** The progress of the trip's drivers together. */
    driver_status: DriverStatus
    /** How much of the price is paid. */
    payment_status: PaymentStatus
    allowed_transitions: TripStatus[]
    /** The kind of the trip. */
    trip_type: TripType
    trip_date: string
    pickup_at: string
    duration_minutes: number | null
    pickup_address: string
    pickup_postal_code: string | null
    pickup_lat: number | null
    pickup_lng: number | null
    dropoff_address: string
    dropoff_postal_code: string | null
    dropoff_lat: number | null
    dropoff_lng: number | null
    customer_id: number | null
    customer_name: string
    customer_email: string | null
    customer_phone: string | null
    car_id: number | null
    driver_ids: number[]
    drivers: TripDriver[]
    total_amount: number | null
    currency: string
    flight_number: string | null
    terminal: string | null
    participants_count: number | null
    notes: string | null
    special_requirements: string | null
    external_ref: string | null
    po_number: string | null
    cost_center: string | null
    metadata: Record<string, string>
    internal_notes: string | null
    /** The class of the vehicle. */
    vehicle_class: VehicleClass | null
    luggage_count: number | null
    child_seats: Array<{
      type: string
      count: number
    }>
    pickup_sign: string | null
    stops: TripStop[]
    passengers: Array<{
      name: string
      phone: string | null
      email: string | null
    }>
    booker_name: string | null
    booker_email: string | null
    booker_phone: string | null
    group_id: string | null
    linked_trip_id: number | null
    /** The leg of a round trip. */
    leg: "outbound" | "return" | null
    taxes: Array<{
      name: string | null
      rate: number
    }> | null
    tax_included: boolean | null
    distance_m: number | null
    /** What the passenger arrives by; it decides the free waiting time. */
    arrival: Arrival | null
    pickup_airport: string | null
    dropoff_airport: string | null
    meet_and_greet: boolean | null
    waiting_minutes: number | null
    tolls_amount: number | null
    flight_status: FlightStatus | null
    pickup_timezone: string
    pickup_local: string
    /** Why the trip was cancelled. */
    cancel_reason: CancelReason | null
    cancelled_by: string | null
    cancellation_fee: number | null
    cancelled_at: string | null
    completed_at: string | null
    created_at: string
    updated_at: string
    removed_driver_ids: number[]
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface DriverAssignedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "driver.assigned"
  /** Unix seconds of the change. */
  created: number
  data: {
    trip_id: number
    driver_ids: number[]
    assignments: Array<{
      driver_id: number
      car_id: number | null
    }>
    added_driver_ids: number[]
    removed_driver_ids: number[]
    /** The removed drivers who gave the job back themselves */
    declined_driver_ids: number[]
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface QuoteAcceptedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "quote.accepted"
  /** Unix seconds of the change. */
  created: number
  data: Quote
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface InvoiceCreatedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "invoice.created"
  /** Unix seconds of the change. */
  created: number
  data: Invoice
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface InvoiceUpdatedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "invoice.updated"
  /** Unix seconds of the change. */
  created: number
  data: {
    invoice_id: number
    /** The change, as in the timeline; `discarded` if a draft was deleted */
    change: "created" | "updated" | "attached" | "detached" | "customer_linked" | "issued" | "sealed" | "emailed" | "viewed" | "paid" | "refunded" | "refund_failed" | "payment_reversed" | "credit_used" | "credit_returned" | "credit_applied" | "credited" | "corrected" | "reminded" | "fee_voided" | "voided" | "discarded"
    /** The trips that were attached or detached */
    trip_ids: number[]
    /** The names of the fields that an `updated` invoice has other values of */
    fields?: string[]
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface InvoicePaidEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "invoice.paid"
  /** Unix seconds of the change. */
  created: number
  data: {
    invoice_id: number
    status: "paid"
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface PaymentSucceededEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "payment.succeeded"
  /** Unix seconds of the change. */
  created: number
  data: {
    invoice_id: number
    amount: number
    /** Only of an amount that the invoice does not need: it does not count towards the invoice, and is to be refunded */
    kind?: "excess"
    /** With `kind` only: the currency of the amount, which may differ from the invoice's */
    currency?: string
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface PaymentReversedEvent {
  /** `evt_` and 32 hex digits. */
  id: string
  type: "payment.reversed"
  /** Unix seconds of the change. */
  created: number
  data: {
    invoice_id: number
    /** The entry that was a typing error */
    payment_id: number
    /** The kind of that entry */
    kind: RefundKind
    amount: number
    currency: string
    reason: string
  }
  meta: {
    business_id: number
    /** Present in sample events only. */
    test?: true
  }
}

export interface Upload {
  upload_id: number
  url: string
  /** The type of the file, found in its content. */
  content_type: "image/png" | "image/jpeg" | "image/webp" | "application/pdf"
  size: number
}

export interface Live {
  status: "live"
}

export interface Ready {
  status: "ready"
  outgoing_paused?: true
}

export interface DriverProfile {
  driver_id: number
  name: string
  business: {
    business_id: number
    business_name: string
  }
  trips_today: number
  trips_upcoming: number
  trips_completed: number
  default_car: DriverTripCar | null
  upcoming_cars: DriverTripCar[]
}

export interface DriverTripCar {
  car_id: number
  name: string
  plate_number: string | null
  make: string | null
  model: string | null
  color: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  seats: number | null
}

export interface DriverTrip {
  trip_id: number
  reference: string
  /** The kind of the trip. */
  trip_type: TripType
  trip_date: string
  pickup_at: string
  duration_minutes: number | null
  pickup_address: string
  pickup_postal_code: string | null
  pickup_lat: number | null
  pickup_lng: number | null
  dropoff_address: string
  dropoff_postal_code: string | null
  dropoff_lat: number | null
  dropoff_lng: number | null
  customer_name: string
  customer_phone: string | null
  flight_number: string | null
  terminal: string | null
  participants_count: number | null
  notes: string | null
  special_requirements: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  luggage_count: number | null
  child_seats: Array<{
    type: string
    count: number
  }>
  pickup_sign: string | null
  stops: TripStop[]
  distance_m: number | null
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival | null
  pickup_airport: string | null
  dropoff_airport: string | null
  meet_and_greet: boolean | null
  flight_status: FlightStatus | null
  pickup_timezone: string
  pickup_local: string
  created_at: string
  updated_at: string
  /** The state of a driver's assignment. */
  status: BoardStatus
  allowed_transitions: BoardStatus[]
  /** The state of the trip; see `GET /meta/state-machines`. */
  trip_status: TripStatus
  pickup_pin_required: boolean
  accepted_at: string | null
  declined_at: string | null
  milestones: TripMilestone[]
  car: DriverTripCar | null
  passengers: Array<{
    name: string
    phone: string | null
  }>
  participants: Array<{
    name: string
    phone: string | null
    count: number
    pickup_address: string | null
  }>
}

export interface DriverAccountReportInput {
  /** Required unless `milestone`, `undo` or `accepted` is sent. */
  status?: BoardStatus | null | undefined
  /** `true` accepts the job, `false` takes that back. A repetition changes nothing, and neither does an answer after the start. It is sent alone, or with the pickup that the driver saw. */
  accepted?: boolean | null | undefined
  /** The time of the pickup as the driver saw it, with `accepted`. If the pickup is another one by now, it is a 409 `conflict`. */
  trip_date?: string | null | undefined
  pickup_address?: string | null | undefined
  /** `true` returns an assignment that is `en_route` to `assigned`: a driver may do so within 2 minutes of the start, or of the arrival of its report. With a `milestone`, it removes that milestone, which only an operator may do, with a `reason`. */
  undo?: boolean | null | undefined
  /** Confirms a start that is more than `early_start_minutes` (settings) before the pickup. */
  force?: boolean | null | undefined
  reason?: string | null | undefined
  /** A step that the driver reported on the way. */
  milestone?: Milestone | null | undefined
  pickup_pin?: string | null | undefined
  /** The stop that was reached, as its position in `stops`, from 0. Required for `arrived_at_stop`, `invalid` for anything else. */
  stop_index?: number | null | undefined
  /** The place where the milestone was reached; without a `milestone` it is `invalid`. */
  lat?: number | null | undefined
  /** The place where the milestone was reached; without a `milestone` it is `invalid`. */
  lng?: number | null | undefined
  /** The time at which the milestone was reached, the driver started (`en_route`) or a start was undone, now by default. A start or an undoing that is dated later than now, or more than 6 hours ago, counts from now. For any other report it is `invalid`. */
  at?: string | null | undefined
}

export interface DriverAccountLocationInput {
  lat: number
  lng: number
  accuracy?: number | null | undefined
  heading?: number | null | undefined
  speed?: number | null | undefined
  /** RFC 3339: `2026-12-24T18:00:00Z` or `2026-12-24T19:00:00+01:00`. Without an offset (`2026-12-24T19:00`), a local time on the business's clock. Seconds may be left out, and a space may stand for the `T`. */
  recorded_at?: string | null | undefined
}

export interface LocationReceipt {
  recorded: boolean
  clock_ahead?: true
}

export interface DriverAccountLocationsInput {
  locations: readonly DriverAccountLocationInput[]
}

export interface LocationBatchReceipt {
  recorded: number
  clock_ahead?: number
}

export interface DriverLocation {
  driver_id: number
  driver_name: string
  trip_id: number
  assignment_id: number
  lat: number
  lng: number
  accuracy: number | null
  heading: number | null
  speed: number | null
  recorded_at: string
  age_seconds: number
  stale: boolean
}

export interface TripLocation {
  trip_id: number
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  trip_date: string
  pickup_at: string
  timezone: string
  pickup_timezone: string
  pickup_local: string
  position: TrackedTripPosition | null
  recorded_at: string | null
  age_seconds: number | null
  stale: boolean
  pickup_pin: string | null
}

export interface TrackedTripPosition {
  lat: number
  lng: number
  accuracy: number | null
  heading: number | null
  speed: number | null
}

export interface CalendarLink {
  token: string
  url: string
}

export interface TrackedTrip {
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  trip_date: string
  pickup_at: string
  timezone: string
  pickup_timezone: string
  pickup_local: string
  position: TrackedTripPosition | null
  recorded_at: string | null
  age_seconds: number | null
  stale: boolean
  pickup_pin: string | null
  /** A step that the driver reported on the way. */
  milestone: Milestone | null
  arrives_in_seconds: number | null
  pickup_position: TrackedPlace | null
  dropoff_position: TrackedPlace | null
  driver: {
    first_name: string
  } | null
  car: {
    make: string | null
    model: string | null
    color: string | null
    /** The class of the vehicle. */
    vehicle_class: VehicleClass | null
    plate_number: string | null
  } | null
  business: DriverOffice
  map_style_url: string | null
}

export interface TrackedPlace {
  lat: number
  lng: number
}

export interface Board {
  trip_id: number
  reference: string
  /** The state of the trip; see `GET /meta/state-machines`. */
  status: TripStatus
  /** The progress of the trip's drivers together. */
  driver_status: DriverStatus
  /** How much of the price is paid. */
  payment_status: PaymentStatus
  allowed_transitions: TripStatus[]
  /** The kind of the trip. */
  trip_type: TripType
  trip_date: string
  pickup_at: string
  duration_minutes: number | null
  pickup_address: string
  pickup_postal_code: string | null
  pickup_lat: number | null
  pickup_lng: number | null
  dropoff_address: string
  dropoff_postal_code: string | null
  dropoff_lat: number | null
  dropoff_lng: number | null
  customer_id: number | null
  customer_name: string
  customer_email: string | null
  customer_phone: string | null
  car_id: number | null
  driver_ids: number[]
  drivers: Array<{
    driver_id: number
    name: string
    /** The state of a driver's assignment. */
    status: BoardStatus
    car_id: number | null
    accepted_at: string | null
    declined_at: string | null
    decline_reason: string | null
    milestones: TripMilestone[]
    phone: string | null
    active: boolean
    car: BoardCar | null
    position: {
      lat: number
      lng: number
      recorded_at: string
    } | null
  }>
  total_amount: number | null
  currency: string
  flight_number: string | null
  terminal: string | null
  participants_count: number | null
  notes: string | null
  special_requirements: string | null
  external_ref: string | null
  po_number: string | null
  cost_center: string | null
  metadata: Record<string, string>
  internal_notes: string | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  luggage_count: number | null
  child_seats: Array<{
    type: string
    count: number
  }>
  pickup_sign: string | null
  stops: TripStop[]
  passengers: Array<{
    name: string
    phone: string | null
    email: string | null
  }>
  booker_name: string | null
  booker_email: string | null
  booker_phone: string | null
  group_id: string | null
  linked_trip_id: number | null
  /** The leg of a round trip. */
  leg: "outbound" | "return" | null
  taxes: Array<{
    name: string | null
    rate: number
  }> | null
  tax_included: boolean | null
  distance_m: number | null
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival: Arrival | null
  pickup_airport: string | null
  dropoff_airport: string | null
  meet_and_greet: boolean | null
  waiting_minutes: number | null
  tolls_amount: number | null
  flight_status: FlightStatus | null
  pickup_timezone: string
  pickup_local: string
  /** Why the trip was cancelled. */
  cancel_reason: CancelReason | null
  cancelled_by: string | null
  cancellation_fee: number | null
  cancelled_at: string | null
  completed_at: string | null
  created_at: string
  updated_at: string
  declined: TripDriver[]
  car: BoardCar | null
  warnings: BoardWarning[]
}

export interface BoardCar {
  car_id: number
  name: string
  plate_number: string | null
  seats: number | null
  /** The class of the vehicle. */
  vehicle_class: VehicleClass | null
  active: boolean
}

export interface DispatchPlanInput {
  date?: string | null | undefined
  /** The first pickup; with `to`, in place of `date`. */
  from?: string | null | undefined
  /** The end of the time of the pickups, not included. */
  to?: string | null | undefined
  locked?: readonly number[] | null | undefined
  reassign?: boolean | null | undefined
  /** What the plan avoids, in kilometres. */
  weights?: {
    /** What a kilometre without a passenger costs; 1 by default. */
    empty_km?: number | null | undefined
    /** What a trip without a driver costs; 1000 by default. */
    unassigned?: number | null | undefined
    /** What it costs to replace a driver who has the trip already; 5 by default. */
    change?: number | null | undefined
    /** What it costs if a customer who prefers some drivers gets another one; 10 by default. A refused driver gets no trip of the customer. */
    preference?: number | null | undefined
    /** What unequal work costs: this number times the square of each driver's hours in the plan; 0 by default. */
    balance?: number | null | undefined
  } | null | undefined
  /** The start of the random numbers: another seed may find another plan. 1 by default. */
  seed?: number | null | undefined
  /** The longest time of the search, in milliseconds; 2000 by default. */
  budget_ms?: number | null | undefined
}

export interface DispatchPlan {
  from: string
  to: string
  seed: number
  /** The steps that the search made. */
  steps: number
  /** The changes of the plan. `POST /dispatch/assignments?refuse_clashes=true` takes them as they are, or some of them. */
  assignments: Array<{
    trip_id: number
    driver_ids: number[]
    if_version: string
  }>
  jobs: Array<{
    trip_id: number
    driver_id: number
    driver_name: string
    /** The trip's car, or the driver's default car. */
    car_id: number | null
    /** The metres without a passenger that the job adds to the driver's day. */
    added_m: number
    /** `only_driver`: no other driver can take it. `preferred`: the customer prefers this driver. `shortest`: it adds the fewest metres to this driver's day. `best_together`: another driver alone would add fewer, but all jobs together cost less so. */
    reason: "only_driver" | "preferred" | "shortest" | "best_together"
    /** `trip`: from the end of the trip `after_trip_id`. `home`: from home. `unknown`: from a place that is not known, so the drive counts nothing. */
    origin: "trip" | "home" | "unknown"
    after_trip_id: number | null
    /** The drive to the pickup. */
    empty_m: number
    /** The minutes since the end of the driver's job before, the drive included; null without one. */
    waiting_minutes: number | null
    /** The next drivers who could take it beside their other jobs in this plan, at most three. */
    candidates: Array<{
      driver_id: number
      driver_name: string
      /** The trip's car, or the driver's default car. */
      car_id: number | null
      /** The metres without a passenger that the job adds to the driver's day. */
      added_m: number
    }>
  }>
  unassigned: Array<{
    trip_id: number
    /** The number of drivers by what keeps them from it: the class of their car, its seats, a licence that expires, an absence, other trips that overlap or leave too little time for the drive, or the customer, who refuses them. */
    drivers: {
      vehicle_class: number
      seats: number
      license: number
      absent: number
      busy: number
      refused: number
    }
  }>
  /** As the trips are now. */
  before: {
    assigned: number
    unassigned: number
    empty_m: number
  }
  /** If each trip in turn, the earliest first, had the nearest driver who is free. */
  nearest_free: {
    assigned: number
    unassigned: number
    empty_m: number
  }
  /** As planned. */
  after: {
    assigned: number
    unassigned: number
    empty_m: number
  }
}

export interface DispatchCopyDayInput {
  from: string
  to: string
  force?: boolean | null | undefined
}

export interface DispatchChangeGroupInput {
  group_id: string
  /** Changes only this trip of the group and those whose pickup is later; all of them by default. */
  from_trip_id?: number | null | undefined
  status?: "cancelled" | null | undefined
  /** Why the trip was cancelled. */
  cancel_reason?: CancelReason | null | undefined
  move_minutes?: number | null | undefined
  /** Fields that each trip gets, as in `PATCH /trips/{id}`, but for the date, `external_ref`, `linked_trip_id`, `leg` and `group_id`. */
  changes?: {
    /** The kind of the trip. */
    trip_type?: TripType | undefined
    duration_minutes?: number | null | undefined
    pickup_address?: string | undefined
    pickup_postal_code?: string | null | undefined
    pickup_lat?: number | null | undefined
    pickup_lng?: number | null | undefined
    dropoff_address?: string | undefined
    dropoff_postal_code?: string | null | undefined
    dropoff_lat?: number | null | undefined
    dropoff_lng?: number | null | undefined
    customer_id?: number | null | undefined
    customer_name?: string | undefined
    customer_email?: string | null | undefined
    customer_phone?: string | null | undefined
    car_id?: number | null | undefined
    total_amount?: number | null | undefined
    currency?: string | undefined
    flight_number?: string | null | undefined
    terminal?: string | null | undefined
    participants_count?: number | null | undefined
    notes?: string | null | undefined
    special_requirements?: string | null | undefined
    po_number?: string | null | undefined
    cost_center?: string | null | undefined
    metadata?: Record<string, string> | null | undefined
    internal_notes?: string | null | undefined
    /** The class of the vehicle. */
    vehicle_class?: VehicleClass | null | undefined
    luggage_count?: number | null | undefined
    child_seats?: ReadonlyArray<{
      type: string
      count: number
    }> | null | undefined
    pickup_sign?: string | null | undefined
    stops?: readonly TripsStopInput[] | null | undefined
    passengers?: ReadonlyArray<{
      name: string
      phone?: string | null | undefined
      email?: string | null | undefined
    }> | null | undefined
    booker_name?: string | null | undefined
    booker_email?: string | null | undefined
    booker_phone?: string | null | undefined
    taxes?: ReadonlyArray<{
      name?: string | null | undefined
      rate: number
    }> | null | undefined
    tax_included?: boolean | null | undefined
    distance_m?: number | null | undefined
    /** What the passenger arrives by; it decides the free waiting time. */
    arrival?: Arrival | null | undefined
    pickup_airport?: string | null | undefined
    dropoff_airport?: string | null | undefined
    meet_and_greet?: boolean | null | undefined
    waiting_minutes?: number | null | undefined
    tolls_amount?: number | null | undefined
    pickup_timezone?: string | null | undefined
  } | null | undefined
  driver_ids?: readonly number[] | null | undefined
  force?: boolean | null | undefined
}

export interface Group {
  trips: ChangedTrip[]
  /** The trips of the group that have ended and stay as they are, the latest first, at most 200; with `from_trip_id` only those after it. */
  ended_trip_ids: number[]
}

export interface StateMachine {
  name: string
  states: string[]
  initial: string[]
  terminal: string[]
  transitions: Array<{
    from: string
    to: string
    movers: Array<"operator" | "customer" | "driver" | "payment" | "administrator" | "system">
  }>
}

export interface TripTemplate {
  template_id: number
  name: string
  /** The fields that the template has, as in `POST /trips`. */
  trip: Record<string, unknown>
  created_at: string
  updated_at: string
}

export interface TripTemplatesCreateInput {
  name: string
  trip?: TripTemplatesTripInput | null | undefined
  /** Takes the fields of this trip, but for its date, in place of `trip`. */
  trip_id?: number | null | undefined
}

export interface TripTemplatesTripInput {
  /** The kind of the trip. */
  trip_type?: TripType | undefined
  duration_minutes?: number | null | undefined
  pickup_address?: string | undefined
  pickup_postal_code?: string | null | undefined
  pickup_lat?: number | null | undefined
  pickup_lng?: number | null | undefined
  dropoff_address?: string | undefined
  dropoff_postal_code?: string | null | undefined
  dropoff_lat?: number | null | undefined
  dropoff_lng?: number | null | undefined
  customer_id?: number | null | undefined
  customer_name?: string | undefined
  customer_email?: string | null | undefined
  customer_phone?: string | null | undefined
  car_id?: number | null | undefined
  total_amount?: number | null | undefined
  currency?: string | undefined
  flight_number?: string | null | undefined
  terminal?: string | null | undefined
  participants_count?: number | null | undefined
  notes?: string | null | undefined
  special_requirements?: string | null | undefined
  po_number?: string | null | undefined
  cost_center?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  internal_notes?: string | null | undefined
  /** The class of the vehicle. */
  vehicle_class?: VehicleClass | null | undefined
  luggage_count?: number | null | undefined
  child_seats?: ReadonlyArray<{
    type: string
    count: number
  }> | null | undefined
  pickup_sign?: string | null | undefined
  stops?: readonly TripsStopInput[] | null | undefined
  passengers?: ReadonlyArray<{
    name: string
    phone?: string | null | undefined
    email?: string | null | undefined
  }> | null | undefined
  booker_name?: string | null | undefined
  booker_email?: string | null | undefined
  booker_phone?: string | null | undefined
  taxes?: ReadonlyArray<{
    name?: string | null | undefined
    rate: number
  }> | null | undefined
  tax_included?: boolean | null | undefined
  distance_m?: number | null | undefined
  /** What the passenger arrives by; it decides the free waiting time. */
  arrival?: Arrival | null | undefined
  pickup_airport?: string | null | undefined
  dropoff_airport?: string | null | undefined
  meet_and_greet?: boolean | null | undefined
  waiting_minutes?: number | null | undefined
  tolls_amount?: number | null | undefined
  pickup_timezone?: string | null | undefined
}

export interface TripTemplatesUpdateInput {
  name?: string | undefined
  trip?: TripTemplatesTripInput | undefined
}

export interface Audit {
  audit_id: number
  at: string
  actor: string
  action: string
  subject: string
  business_id: number | null
  before: unknown
  after: unknown
  reason: string | null
  request_id: string | null
}

export interface AdminBusiness {
  business_id: number
  business_name: string
  business_email: string
  vendor_slug: string
  /** `A`: active; `D`: suspended. */
  status: "A" | "D"
  allowed_transitions: Array<"A" | "D">
  subscription_plan_id: number
  /** The state of the business's subscription. */
  subscription_status: SubscriptionStatus
  subscription_item_id: string | null
  email_credits: number
  currency: string
  timezone: string
  phone: string | null
  address: string | null
  website_url: string | null
  logo_url: string | null
  accent_color: string | null
  /** What overlapping trips of a driver or a car do: nothing, a warning, or a refusal until confirmed. */
  clash_policy: ClashPolicy
  drive_time_enforced: boolean
  turnaround_minutes: number
  early_start_minutes: number | null
  holidays: Array<{
    from: string
    to: string | null
  }>
  booking_confirmation_required: boolean
  pickup_pin: boolean
  country: string | null
  locale: string | null
  vat_number: string | null
  tax_number: string | null
  registration_number: string | null
  iban: string | null
  bic: string | null
  payment_terms_days: number | null
  dunning: {
    automatic?: boolean
    levels: Array<{
      days: number
      fee?: number
      wordings?: SettingsWordings
    }>
  }
  /** Why the invoice has no tax. */
  untaxed_as: UntaxedAs
  untaxed_reason: string | null
  default_taxes: Array<{
    name: string | null
    rate: number
  }>
  prices_include_tax: boolean
  accounting: {
    datev?: SettingsDatev | null
    quickbooks?: SettingsQuickbooks | null
    xero?: SettingsXero | null
  }
  email_wording: SettingsEmailWording
  part_payments_allowed: boolean
  booking_page: SettingsBookingPage
  created_at: string
  updated_at: string
}

export interface AdminBusinessesUpdateInput {
  business_name?: string | undefined
  business_email?: string | undefined
  vendor_slug?: string | undefined
  subscription_plan_id?: number | undefined
  /** The state of the business's subscription. */
  subscription_status?: SubscriptionStatus | undefined
  subscription_item_id?: string | null | undefined
  currency?: string | undefined
  timezone?: string | undefined
}

export interface BusinessUsage {
  business_id: number
  plan: Plan
  /** The state of the business's subscription. */
  subscription_status: SubscriptionStatus
  email_credits: number
  allowances: {
    cars: {
      /** How many the plan includes; null: no limit */
      limit: number | null
      /** How many there are */
      used: number
    }
    drivers: {
      /** How many the plan includes; null: no limit */
      limit: number | null
      /** How many there are */
      used: number
    }
    invoices_this_month: {
      /** How many the plan includes; null: no limit */
      limit: number | null
      /** How many there are */
      used: number
    }
  }
  /** How many there are */
  seats: number
  /** How many there are */
  members: number
  /** How many there are */
  customers: number
  trips: {
    /** How many there are */
    total: number
    /** How many there are */
    this_month: number
  }
  invoices: {
    /** How many there are */
    total: number
    /** How many there are */
    this_month: number
  }
  /** How many there are */
  events: number
  /** How many there are */
  webhooks: number
  /** How many there are */
  api_keys: number
  last_activity_at: string | null
}

export interface Plan {
  plan_id: number
  code: string
  name: string
  cars: number | null
  drivers: number | null
  invoices: number | null
  seat_price: number | null
  currency: string
  active: boolean
}

export interface AdminBusinessesCreditsInput {
  credits: number
  reason: string
}

export interface AdminBusinessesSuspendInput {
  /** Whether the business is suspended or active again. */
  action: "suspend" | "activate"
  reason?: string | null | undefined
}

export interface AdminUser {
  id: number
  email: string
  name: string
  mobile_phone: string | null
  /** `S`: a super-admin of the platform; `A`: an administrator of a business; `D`: a driver. */
  account_type: AccountType
  email_verified: boolean
  is_driver: boolean
  driver_id: number | null
  business_ids: number[]
  created_at: string
  updated_at: string
}

export interface AdminUsersCreateInput {
  name: string
  email: string
  password: string
  /** `A`: an administrator of a business; `S`: a super-admin of the platform. */
  account_type?: "A" | "S" | null | undefined
}

export interface AdminUsersResetPasswordInput {
  password: string
}

export interface AdminPasswordReset {
  reset: true
}

export interface AdminUsersAssignBusinessInput {
  business_id: number
  /** Whether the user becomes a member of the business or leaves it. */
  action: "assign" | "unassign"
}

export interface BusinessAssignment {
  user_id: number
  /** Whether the user becomes a member of the business or leaves it. */
  action: "assign" | "unassign"
  business_id: number
  business_ids: number[]
}

export interface Setting {
  key: string
  category: string
  /** The type of the setting's value. */
  type: "boolean" | "integer"
  /** The stored value, or the default */
  value: boolean | number
  default_value: boolean | number
  minimum: number | null
  maximum: number | null
  description: string
  /** The value that is in effect instead, if this installation's environment fixes it */
  fixed_value: boolean | number | null
  /** The environment variable that fixes the value */
  fixed_by: string | null
  /** The last change, if there was one */
  updated_at: string | null
}

export interface AdminSettingsSetInput {
  value: unknown
}

export interface SaasCoupon {
  coupon_id: number
  code: string
  description: string | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  /** For how long the coupon applies. */
  duration: "once" | "repeating" | "forever"
  duration_months: number | null
  max_redemptions: number | null
  times_redeemed: number
  valid_until: string | null
  active: boolean
  created_at: string
}

export type SaasInvoiceStatus = "unpaid" | "partial" | "paid" | "void"

export interface SaasInvoice {
  saas_invoice_id: number
  number: string
  business_id: number
  business_name: string
  /** The state of the invoice; see `GET /meta/state-machines`. */
  status: SaasInvoiceStatus
  currency: string
  period_start: string | null
  period_end: string | null
  coupon_id: number | null
  subtotal: number
  discount_total: number
  tax_total: number
  total_amount: number
  amount_paid: number
  amount_due: number
  issued_on: string
  due_date: string | null
  lines: Array<{
    description: string
    quantity: number
    unit_price: number
    amount: number
  }>
  payments: Array<{
    amount: number
    /** How the payment was made. */
    method: RefundMethod
    paid_on: string
    reference: string | null
  }>
  created_at: string
}

export interface PrivacyEraseCustomerInput {
  force?: boolean | null | undefined
  reason?: string | null | undefined
}

export interface Erasure {
  erased: boolean
  pending?: true
  customers: number
  drivers: number
  users: number
  trips: number
  quotes: number
  bookings: number
  assignments: number
  files: number
  changes: number
  events: number
  audit_entries: number
  responses: number
  messages: number
  sent_messages: number
  invoices_retained: number
}

export interface PrivacyEraseContactInput {
  email?: string | null | undefined
  phone?: string | null | undefined
  force?: boolean | null | undefined
  reason?: string | null | undefined
}

export interface AdminPrivacyErasePersonInput {
  customer_id?: number | null | undefined
  driver_id?: number | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  force?: boolean | null | undefined
  reason?: string | null | undefined
}

export interface NoticeSettings {
  channels: {
    booked: Channel[]
    changed: Channel[]
    cancelled: Channel[]
    reminder: Channel[]
    driver_assigned: Channel[]
    on_the_way: Channel[]
    arrived: Channel[]
    done: Channel[]
    driver_new: Channel[]
    driver_changed: Channel[]
    driver_cancelled: Channel[]
    driver_message: Channel[]
    driver_declined: Channel[]
  }
  quiet_minutes: number
  reminder_minutes: number
  templates: Array<{
    /** What is told: see the table of kinds in the guide to notices. */
    kind: NoticeKind
    /** The language of the letter or of the words. */
    language: NoticePreviewLanguage
    subject: string
    text: string
    short: string
  }>
}

export type Channel = "mail" | "text" | "push"

export type NoticeKind = "booked" | "changed" | "cancelled" | "reminder" | "driver_assigned" | "on_the_way" | "arrived" | "done" | "driver_new" | "driver_changed" | "driver_cancelled" | "driver_message" | "driver_declined"

export interface NoticesUpdateInput {
  channels?: {
    booked?: readonly Channel[] | undefined
    changed?: readonly Channel[] | undefined
    cancelled?: readonly Channel[] | undefined
    reminder?: readonly Channel[] | undefined
    driver_assigned?: readonly Channel[] | undefined
    on_the_way?: readonly Channel[] | undefined
    arrived?: readonly Channel[] | undefined
    done?: readonly Channel[] | undefined
    driver_new?: readonly Channel[] | undefined
    driver_changed?: readonly Channel[] | undefined
    driver_cancelled?: readonly Channel[] | undefined
    driver_message?: readonly Channel[] | undefined
    driver_declined?: readonly Channel[] | undefined
  } | undefined
  quiet_minutes?: number | undefined
  reminder_minutes?: number | undefined
  templates?: ReadonlyArray<{
    /** What is told: see the table of kinds in the guide to notices. */
    kind: NoticeKind
    /** The language of the letter or of the words. */
    language: NoticePreviewLanguage
    subject: string
    text: string
    short: string
  }> | undefined
}

export interface NoticesPreviewInput {
  /** What is told: see the table of kinds in the guide to notices. */
  kind: NoticeKind
  /** The language of the letter or of the words. */
  language?: NoticePreviewLanguage | null | undefined
  template?: {
    subject: string
    text: string
    short: string
  } | null | undefined
}

export interface NoticePreview {
  /** What is told: see the table of kinds in the guide to notices. */
  kind: NoticeKind
  /** The language of the letter or of the words. */
  language: NoticePreviewLanguage
  subject: string
  text: string
  short: string
  /** How the text message is encoded. */
  encoding: "gsm-7" | "ucs-2"
  segments: number
}

export type StoredTextGatewayMethod = "POST" | "PUT" | "GET"

export type BodyType = "json" | "form" | "text"

export interface StoredTextGatewayCallbacks {
  reference_path: string | null
  status_path: string | null
  delivered: string[]
  failed: string[]
  from_path: string | null
  text_path: string | null
  signature: StoredTextGatewaySignature | null
}

export interface StoredTextGatewaySignature {
  header: string
  /** The hash function of the signature. */
  algorithm: "sha1" | "sha256"
  /** How the signature is written. */
  encoding: "hex" | "base64"
  signed: string
  timestamp_header: string | null
  tolerance_seconds: number | null
  nonce_header: string | null
  has_secret: boolean
}

export interface NoticesPutGatewayInput {
  url: string
  /** The method of the request. */
  method: StoredTextGatewayMethod
  headers: ReadonlyArray<{
    name: string
    value: string
  }>
  body?: string | null | undefined
  /** How the placeholders are written in the body. */
  body_type: BodyType
  sender: string
  account?: string | null | undefined
  token?: string | null | undefined
  success: {
    path?: string | null | undefined
    values: readonly string[]
  }
  reference_path?: string | null | undefined
  callbacks?: {
    reference_path?: string | null | undefined
    status_path?: string | null | undefined
    delivered: readonly string[]
    failed: readonly string[]
    from_path?: string | null | undefined
    text_path?: string | null | undefined
    signature?: {
      header: string
      /** The hash function of the signature. */
      algorithm: "sha1" | "sha256"
      /** How the signature is written. */
      encoding: "hex" | "base64"
      signed: string
      timestamp_header?: string | null | undefined
      tolerance_seconds?: number | null | undefined
      nonce_header?: string | null | undefined
      secret?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

export interface StoredTextGateway {
  url: string
  /** The method of the request. */
  method: StoredTextGatewayMethod
  headers: Array<{
    name: string
    value: string | null
  }>
  body: string | null
  /** How the placeholders are written in the body. */
  body_type: BodyType
  sender: string
  account: string | null
  has_token: boolean
  success: {
    path: string | null
    values: string[]
  }
  reference_path: string | null
  callbacks: StoredTextGatewayCallbacks | null
  callback_url: string | null
}

export interface NoticesTestGatewayInput {
  to: string
  text: string
}

export interface TextGatewayTest {
  taken: boolean
  reference: string | null
  reason: string | null
  response_status: number | null
  response_body: string | null
  segments: number
}

export interface NoticePreferences {
  kinds: Array<"booked" | "changed" | "cancelled" | "reminder" | "driver_assigned" | "on_the_way" | "arrived" | "done"> | null
  channels: Channel[] | null
}

export interface Notice {
  notice_id: number
  trip_id: number | null
  /** What is told: see the table of kinds in the guide to notices. */
  kind: NoticeKind
  /** Who is told. */
  party: "passenger" | "booker" | "driver" | "office"
  driver_id: number | null
  /** The way in which a message reaches a person: an email, a text message or a push message. */
  channel: Channel | null
  address: string | null
  /** What became of the notice. */
  status: "queued" | "sent" | "delivered" | "failed" | "skipped"
  reason: string | null
  segments: number | null
  created_at: string
  updated_at: string
}

export interface NoticesMessageInput {
  text: string
  trip_id?: number | null | undefined
}

export interface PushKey {
  public_key: string | null
}
