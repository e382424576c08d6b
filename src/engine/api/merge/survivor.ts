import { ApiError } from '../../../errors.ts'
import { parseUuid } from '../../../lib/uuid.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Route } from '../call/route.ts'

/** The maximum number of merges that are followed from a record to the one that has survived all of them. */
const mergesMax = 1_000

/** Adds to the route that gets a record: the 404 for a record that has been merged names the one that survives (decision K6). */
export function withSurvivor(resource: Resource, route: Route): Route {
  if (route.method !== 'GET' || route.path !== `/${resource.path}/:id`) return route
  return {
    ...route,
    run(call) {
      try {
        return route.run(call)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error
        const id = lookupSurvivor(resource, call.reader, parseUuid(call.params.id!))
        if (id === undefined) throw error
        const headers = { Link: `</${resource.path}/${id}>; rel="canonical"` }
        throw new ApiError(error.code, error.message, { headers, cause: error })
      }
    },
    describe(doc) {
      const description = route.describe(doc)
      const when = 'If it has been merged into another record, `Link` names that one.'
      return { ...description, linked: true, errors: { ...description.errors, NOT_FOUND: when } }
    },
  }
}

/** The undeleted record into which a deleted one has been merged, directly or through others. */
function lookupSurvivor({ table }: Resource, reader: Reader, id: string | undefined): string | undefined {
  const sql = `WITH RECURSIVE survivor (id, merges) AS (
      SELECT merged_into, 1 FROM trash WHERE workspace_id = :workspace AND id = ?
      UNION ALL SELECT merged_into, merges + 1 FROM survivor JOIN trash ON trash.workspace_id = :workspace AND trash.id = survivor.id
      WHERE merges < ${mergesMax})
    SELECT id FROM ${table} WHERE workspace_id = :workspace AND deleted_at IS NULL AND id IN (SELECT id FROM survivor)`
  return id === undefined ? undefined : reader.value<string>(sql, id)
}
