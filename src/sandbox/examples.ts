import { exampleId } from '../engine/api/openapi/examples.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { undeleted } from '../engine/records/select.ts'
import { resources } from '../features/index.ts'
import type { OpenApiDocument, Operation } from '../http/openapi/operation.ts'
import { unpackUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'

/** The ids of records of a world by the names of example records. */
type Ids = Readonly<Record<string, string | undefined>>

/**
 * Puts the ids of a world's records into the examples of its document, so that its requests work as they are, also one after the other:
 * what a request deletes or merges is another record than that of the other requests. What the world has no record of stays as it is.
 */
export function withOwnExamples(document: OpenApiDocument, reader: Reader): OpenApiDocument {
  const found = resources.map((resource) => [resource, listIds(resource, reader)] as const)
  const ids: Ids = { ...Object.assign({}, ...found.map((each) => namesOf(each, reader))), request: lastRequest(reader) }
  const leaving = Object.fromEntries(found.map(([{ name }, [first, second]]) => [name, second ?? first]))
  const special: Readonly<Record<string, Ids>> = {
    ...Object.fromEntries(found.map(([{ path, name }]) => [`delete /${path}/{id}`, { [name]: leaving[name] }])),
    'post /api-v1-trash/{id}/restore': { organization: leaving.organization },
    'delete /api-v1-trash/{id}': { organization: leaving.contact },
  }
  const operationOf = (path: string, method: string, operation: Operation) =>
    replaceIds(operation, { ...ids, ...special[`${method} ${path}`] })
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, operationOf(path, method, each)])),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

/** The oldest records of a resource that have everything which can belong to one. */
function listIds({ table, collections }: Resource, reader: Reader): string[] {
  const items = Object.values(collections).map(
    (each) => ` AND id IN (SELECT ${each.owner} FROM ${each.table} WHERE workspace_id = :workspace)`,
  )
  const sql = `SELECT id FROM ${table} WHERE ${undeleted}${items.join('')} ORDER BY id LIMIT 3`
  return reader.values<string>(sql)
}

function namesOf([{ name, collections }, [id, , other]]: readonly [Resource, string[]], reader: Reader): Ids {
  const items = Object.values(collections).map(({ table, owner }) => {
    const sql = `SELECT id FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ? ORDER BY id LIMIT 1`
    return [table, id && reader.value<string>(sql, id)]
  })
  return { [name]: id, [`other ${name}`]: other, ...Object.fromEntries(items) }
}

/** The id of the request that made the last change. */
function lastRequest(reader: Reader): string | undefined {
  const sql = 'SELECT request_id FROM change WHERE workspace_id = :workspace ORDER BY seq DESC LIMIT 1'
  const id = reader.value<Uint8Array | string>(sql)
  return id instanceof Uint8Array ? unpackUuid(id) : id
}

function replaceIds(operation: Operation, ids: Ids): Operation {
  let text = JSON.stringify(operation)
  for (const [name, id] of Object.entries(ids)) if (id !== undefined) text = text.replaceAll(exampleId(name), id)
  return JSON.parse(text.replaceAll('"environment":"live"', '"environment":"test"')) // a sandbox has test data only
}
