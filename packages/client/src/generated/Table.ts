// Written by scripts/client.ts from the OpenAPI document. Do not edit: run `npm run client:write`.

/** Each group with its operations: the name, the initial of the method with flags, and the path. */
export const table = `auth:register Pkp /auth/register;verifyEmail Pkp /auth/verify-email;login Pkp /auth/login;signInWithProvider Pkp /auth/idp;listProviders Gp /auth/idp;beginWithProvider Pp /auth/idp/begin;finishWithProvider Pp /auth/idp/finish;openDemonstration Pp /auth/demonstration;refresh Pp /auth/refresh;logout Pk /auth/logout;requestReset Pkp /auth/password-reset;confirmReset Pkp /auth/password-reset/confirm;acceptInvitation Pkp /auth/accept-invitation;resendVerification Pkp /auth/verify-email/resend
me:read G /me;change M /me;changePassword Pk /me/password;listBusinesses G /me/businesses;createBusiness Pk /me/businesses;createApiKey Pk /me/api-keys;listApiKeys G /me/api-keys;deleteApiKey D /me/api-keys;listViews G /me/views;saveView Pk /me/views;changeView M /me/views/{id};deleteView D /me/views/{id};readPreferences G /me/preferences;changePreferences M /me/preferences;registerDevice Pk /me/devices;listDevices G /me/devices;unregisterDevice D /me/devices
business:ping G /ping;read G /business
staff:list Gl /business/members;invite Pk /business/members;invitations Gl /business/members/invitations;revoke D /business/members/invitations;update M /business/members/{user_id};remove D /business/members/{user_id}
settings:read G /settings/business;update M /settings/business;previewReminder Pk /settings/dunning/preview;readInvoiceNumbers G /settings/invoice-numbers;updateInvoiceNumbers M /settings/invoice-numbers;readCreditNoteNumbers G /settings/credit-note-numbers;updateCreditNoteNumbers M /settings/credit-note-numbers;readFlights G /settings/flights;updateFlights M /settings/flights
cars:list Gl /cars;create Pk /cars;createMany Pk /cars/bulk;read G /cars/{id};update M /cars/{id};remove D /cars/{id}
drivers:list Gl /drivers;create Pk /drivers;createMany Pk /drivers/bulk;free Gl /drivers/free;allAbsences Gl /drivers/absences;read G /drivers/{id};update M /drivers/{id};remove D /drivers/{id};invite Pk /drivers/{id}/invite;availability G /drivers/{id}/availability;absences Gl /drivers/{id}/absences;addAbsence Pk /drivers/{id}/absences;removeAbsences D /drivers/{id}/absences
customers:list Gl /customers;create Pk /customers;createMany Pk /customers/bulk;read G /customers/{id};update M /customers/{id};remove D /customers/{id};trips Gl /customers/{id}/trips;invoices Gl /customers/{id}/invoices
tripBilling:month Pk /customers/{id}/invoices;trip Pk /trips/{id}/payment-link;startRun Pk /invoices/monthly;readRun G /invoice-runs/{run_id}
imports:start Pku /imports;list Gl /imports;columns Pku /imports/columns;read G /imports/{id};lines Gl /imports/{id}/lines;refused Gb /imports/{id}/refused
fares:list Gl /tariffs;create Pk /tariffs;read G /tariffs/{id};update M /tariffs/{id};remove D /tariffs/{id};versions Gl /tariffs/{id}/versions;readVersion G /tariffs/{id}/versions/{version};importPrices Pku /tariffs/{id}/import;estimate Pk /fares/estimate;ofTrip G /trips/{id}/fare;priceTrip Pk /trips/{id}/fare
driverPay:read G /drivers/{id}/pay;update M /drivers/{id}/pay;statement G /drivers/{id}/statement
products:list Gl /products;create Pk /products;read G /products/{id};update M /products/{id};remove D /products/{id};departures G /products/{id}/departures
bookings:list Gl /bookings;create Pk /bookings;read G /bookings/{id};update M /bookings/{id};remove D /bookings/{id};confirm Pk /bookings/{id}/confirm;cancel Pk /bookings/{id}/cancel
bookingBilling:link Pk /bookings/{id}/payment-link;pay Pk /bookings/{id}/payments
bookingPages:read Gp /public/businesses/{vendor_slug};places Gp /public/businesses/{vendor_slug}/places;departures Gp /public/businesses/{vendor_slug}/products/{id}/departures;estimate Pkp /public/businesses/{vendor_slug}/estimate;requestQuote Pkp /public/businesses/{vendor_slug}/quotes;bookProduct Pkp /public/businesses/{vendor_slug}/bookings;bookTrip Pkp /public/businesses/{vendor_slug}/trips
quotes:list Gl /quotes;create Pk /quotes;read G /quotes/{id};update M /quotes/{id};remove D /quotes/{id};price Pk /quotes/{id}/price;send Pk /quotes/{id}/send;accept Pk /quotes/{id}/accept;reject Pk /quotes/{id}/reject;convert Pk /quotes/{id}/convert
publicQuotes:read Gp /public/quotes/{token};accept Pkp /public/quotes/{token}/accept;reject Pkp /public/quotes/{token}/reject
trips:list Gl /trips;create Pk /trips;createMany Pk /trips/bulk;read G /trips/{id};update M /trips/{id};remove D /trips/{id};reportDriverStatus M /trips/{id}/driver-status;assign Pk /trips/{id}/drivers;timeline Gl /trips/{id}/timeline;reopen Pk /trips/{id}/reopen;duplicate Pk /trips/{id}/duplicate;repeat Pk /trips/{id}/repeat
invoices:list Gl /invoices;create Pk /invoices;read G /invoices/{id};update M /invoices/{id};remove D /invoices/{id};issue Pk /invoices/{id}/issue;correct Pk /invoices/{id}/correct;timeline Gl /invoices/{id}/timeline;void Pk /invoices/{id}/void;attachTrips Pk /invoices/{id}/trips;detachTrips D /invoices/{id}/trips;payments Gl /invoices/{id}/payments;pay Pk /invoices/{id}/payments;applyCredit Pk /invoices/{id}/apply-credit;reverse Pk /invoices/{id}/payments/{payment_id}/reverse;refund Pk /invoices/{id}/payments/{payment_id}/refund
invoicePdfs:pdf Gb /invoices/{id}/pdf;xrechnung Gb /invoices/{id}/xrechnung;email Pk /invoices/{id}/email;remind Pk /invoices/{id}/remind
creditNotes:create Pk /invoices/{id}/credit-notes;list Gl /invoices/{id}/credit-notes;read G /invoices/{id}/credit-notes/{credit_note_id};xrechnung Gb /invoices/{id}/credit-notes/{credit_note_id}/xrechnung;pdf Gb /invoices/{id}/credit-notes/{credit_note_id}/pdf
letters:failed Gl /letters/failed
remittances:list Gl /payments;create Pk /payments;read G /payments/{id};credit G /customers/{id}/credit
bankStatements:list Gl /bank-statements;import Pku /bank-statements;entries Gl /bank-statements/{id}/entries;confirm Pk /bank-statements/{id}/entries/{entry_id}/confirm;ignore Pk /bank-statements/{id}/entries/{entry_id}/ignore
bookExports:invoices Gb /exports/invoices;creditNotes Gb /exports/credit-notes;payments Gb /exports/payments;journal Gb /exports/journal;taxes G /reports/tax
statements:read G /customers/{id}/statement;send Pk /customers/{id}/statement/send
publicInvoices:read Gp /public/invoices/{hash};pdf Gbp /public/invoices/{hash}/pdf;pay Pkp /public/invoices/{hash}/pay
paymentNotices:stripe Pp /public/payments/stripe
webhooks:list Gl /webhooks;create Pk /webhooks;read G /webhooks/{id};update M /webhooks/{id};remove D /webhooks/{id};replaceSecret Pk /webhooks/{id}/rotate-secret;test Pk /webhooks/{id}/test;deliveries Gl /webhooks/{id}/deliveries;retry Pk /webhooks/{id}/deliveries/{delivery_id}/retry
events:list Gl /events
uploads:upload Pku /uploads
health:live Gp ^/health/live;ready Gp ^/health/ready
driverAccount:profile G /me/driver;office G /me/driver/office;trips Gl /me/driver/trips;trip G /me/driver/trips/{id};report Mk /me/driver/trips/{id};location Pk /me/driver/location;locations Pk /me/driver/locations
driverToken:trip Gd /driver/trip;office Gd /driver/office;locations Pkd /driver/locations;location Pkd /driver/location;status Pkd /driver/status
tracking:drivers Gl /drivers/locations;location G /trips/{id}/location;follow Gs /trips/{id}/location/stream;share Pk /trips/{id}/tracking-link;unshare D /trips/{id}/tracking-link
publicTracking:location Gp /public/tracking/{token};follow Gsp /public/tracking/{token}/stream
dispatch:board Gl /dispatch/trips;follow Gs /dispatch/stream;assign Pk /dispatch/assignments;plan Pk /dispatch/plan;copyDay Pk /dispatch/copy-day;changeGroup Pk /dispatch/groups
reports:read G /reports/{report}
meta:stateMachines Gp /meta/state-machines
calendars:linkOffice Pk /calendar-link;unlinkOffice D /calendar-link;linkDriver Pk /drivers/{id}/calendar-link;unlinkDriver D /drivers/{id}/calendar-link;linkCustomer Pk /customers/{id}/calendar-link;unlinkCustomer D /customers/{id}/calendar-link
publicCalendars:read Gbp /public/calendars/{token}/calendar.ics
tripTemplates:list Gl /trip-templates;create Pk /trip-templates;read G /trip-templates/{id};update M /trip-templates/{id};remove D /trip-templates/{id};book Pk /trip-templates/{id}/trips
adminAudit:list Gl /admin/audit
adminBusinesses:list Gl /admin/businesses;read G /admin/businesses/{id};update M /admin/businesses/{id};usage G /admin/businesses/{id}/usage;credits Pk /admin/businesses/{id}/credits;suspend Pk /admin/businesses/{id}/suspend
adminUsers:list Gl /admin/users;create Pk /admin/users;read G /admin/users/{id};resetPassword Pk /admin/users/{id}/password-reset;assignBusiness Pk /admin/users/{id}/business-assignment
adminPlans:list Gl /admin/plans;read G /admin/plans/{id}
adminSettings:list G /admin/settings;set M /admin/settings/{key}
adminCoupons:list Gl /admin/saas-coupons;read G /admin/saas-coupons/{id}
adminSaasInvoices:list Gl /admin/saas-invoices;read G /admin/saas-invoices/{id}
privacy:eraseCustomer Pk /customers/{id}/erase;eraseDriver Pk /drivers/{id}/erase;eraseContact Pk /persons/erase
adminPrivacy:erasePerson Pk /admin/businesses/{id}/persons/erase;eraseUser Pk /admin/users/{id}/erase
notices:read G /settings/notices;update M /settings/notices;preview Pk /settings/notices/preview;readGateway G /settings/text-gateway;putGateway Pk /settings/text-gateway;removeGateway D /settings/text-gateway;testGateway Pk /settings/text-gateway/test;readPreferences G /customers/{id}/notice-preferences;changePreferences M /customers/{id}/notice-preferences;ofTrip Gl /trips/{id}/notices;message Pk /drivers/{id}/messages;pushKey G /me/push-key
textCallbacks:receive Pp /public/text-callbacks/{token}`
