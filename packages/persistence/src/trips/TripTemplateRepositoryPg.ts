import { Effect } from "effect"
import {
  type BusinessId,
  maxTripTemplates,
  TripTemplate,
  type TripTemplateId,
  TripTemplateRepository
} from "@livery/domain"
import { columnsOf } from "../sql/rows/Columns.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { execute, firstOf, instant, oneRow, rowsAs } from "../sql/rows/Rows.ts"
import { lockBusiness } from "../sql/statements/BusinessLock.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const templates = rowsAs(TripTemplate)
const pageOfTemplates = pagesOf(TripTemplate)

/** Templates of trips in the table `trip_templates`, with their fields as JSON. */
export const layer = onPostgres(TripTemplateRepository, (sql) => {
  const columns = sql.literal(columnsOf(TripTemplate))
  const ofId = (businessId: BusinessId, templateId: TripTemplateId) =>
    sql`business_id = ${businessId} AND template_id = ${templateId}`
  return {
    insert: (businessId, { name, trip }, now) =>
      Effect.andThen(
        execute(lockBusiness(sql, businessId)),
        firstOf(
          templates(sql`
            INSERT INTO trip_templates (business_id, name, trip, created_at, updated_at)
            SELECT ${businessId}::bigint, ${name}::text, ${JSON.stringify(trip)}::jsonb, ${instant(now)}::timestamptz,
              ${instant(now)}::timestamptz
            WHERE (SELECT count(*) FROM trip_templates WHERE business_id = ${businessId}) < ${maxTripTemplates}
            RETURNING ${columns}`)
        )
      ),
    list: (businessId, page) =>
      pageOfTemplates(sql, page, {
        columns,
        from: sql`trip_templates`,
        where: sql`business_id = ${businessId}`,
        order: sql`name COLLATE "C", template_id`
      }),
    find: (businessId, templateId) =>
      firstOf(templates(sql`SELECT ${columns} FROM trip_templates WHERE ${ofId(businessId, templateId)}`)),
    lock: (businessId, templateId) =>
      firstOf(
        templates(sql`SELECT ${columns} FROM trip_templates WHERE ${ofId(businessId, templateId)} FOR UPDATE`)
      ),
    update: (businessId, templateId, { name, trip }, now) =>
      oneRow(
        templates(sql`
          UPDATE trip_templates
          SET name = coalesce(${name ?? null}, name),
            trip = coalesce(${trip === undefined ? null : JSON.stringify(trip)}::jsonb, trip),
            updated_at = ${instant(now)}
          WHERE ${ofId(businessId, templateId)} RETURNING ${columns}`)
      ),
    remove: (businessId, templateId) =>
      execute(sql`DELETE FROM trip_templates WHERE ${ofId(businessId, templateId)}`)
  }
})
