import { contact } from '../../src/crm/contact.ts'
import type { Action, Collection, Resource } from '../../src/engine/records/define.ts'
import { imported } from '../../src/features/imports/imported.ts'
import { matchable, resources } from '../../src/features/index.ts'
import { uniqueKey } from '../support/fields.ts'
import { type JsonRecord, newBody } from '../support/make.ts'
import type { Random } from '../support/random.ts'

/** A request that writes, and the status of its response. */
export interface Writing {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  status: number
}

/** A request that changes a record, and the record afterwards; undefined: deleted. */
export interface Change extends Writing {
  after: JsonRecord | undefined
}

/** The text that distinguishes one write from another: the first one that lists can be filtered by. */
export const textFieldOf = ({ fields, filters }: Resource): string =>
  Object.values(fields).find(({ name, kind }) => kind === 'text' && filters.includes(name))!.name

/** Whether a body with a text alone is complete: a line item needs a deal, and an exchange rate has no text. */
const isText = ({ fields }: Resource): boolean =>
  Object.values(fields).every(({ required, target }) => !required || !target) &&
  Object.values(fields).some(({ kind }) => kind === 'text')

/** The resources that the ledger writes to: all that can be created in any number, with a text. */
export const written: readonly Resource[] = resources.filter(
  (each) => each.operations.includes('create') && each.max === undefined && isText(each),
)

/** The values of a record that show which writes it has had. */
export function factsOf(resource: Resource, record: JsonRecord): unknown {
  const fields = [
    textFieldOf(resource),
    ...resource.actions.flatMap(({ takes, patch }) => takes ?? Object.keys(patch({}))),
  ]
  const items = Object.values(resource.collections).map(({ as, fields }) =>
    record[as].map((item: JsonRecord) => item[nameOf(fields)]),
  )
  return [...fields.map((field) => record[field]), items, Boolean(record.revoked_at)]
}

export function drawCreate(random: Random, number: number): Writing & { resource: Resource } {
  const resource = random.pick(written)
  const body = { ...newBody(resource), [textFieldOf(resource)]: textOf(number) }
  if (!matchable.includes(resource) || random.below(3) > 0) {
    return { resource, method: 'POST', path: `/${resource.path}`, body, status: 201 }
  }
  const metadata = { [uniqueKey]: String(number) }
  return { resource, method: 'PUT', path: upsertPath(resource), body: { ...body, metadata }, status: 201 }
}

const recordsPerSubmit = 120

/** An import of records that all have the same text, and how many records it creates. */
export interface Submit extends Writing {
  resource: Resource
  distinct: number
}

const importable = Object.values(imported).filter(isText)
let submits = 0

/** A third of the imports match contacts by email: each of their records comes three times. */
export function drawSubmit(random: Random, number: number): Submit {
  const isMatched = random.below(3) === 0
  const resource = isMatched ? contact : importable[submits++ % importable.length]!
  const record = { ...newBody(resource), [textFieldOf(resource)]: textOf(number) }
  const distinct = isMatched ? recordsPerSubmit / 3 : recordsPerSubmit
  const records = Array.from({ length: recordsPerSubmit }, (_, row) =>
    isMatched ? { ...record, emails: [{ email: `import.${number}.${row % distinct}@kontor.example` }] } : record,
  )
  const path = `/${resource.path.replace('api-v1-', 'api-v1-bulk/')}`
  const body = { ...(isMatched && { match_on: 'email' }), records }
  return { resource, distinct, method: 'POST', path, body, status: 202 }
}

/** Undefined for a record that cannot change. `references` are ids to choose from, by resource. */
export function drawChange(
  random: Random,
  resource: Resource,
  record: JsonRecord,
  number: number,
  references: Record<string, readonly string[]>,
): Change | undefined {
  const path = `/${resource.path}/${record.id}`
  const { operations, actions, collections } = resource
  if (record.revoked_at) return undefined
  const draws: (() => Change)[] = [
    ...actions.map((action) => () => act(random, resource, record, action, references)),
    ...Object.entries(collections).map(
      ([name, of]) =>
        () =>
          changeItem(random, record, `${path}/${name}`, of, number),
    ),
  ]
  if (operations.includes('patch')) {
    const body = { [textFieldOf(resource)]: textOf(number) }
    const after = { ...record, ...body }
    draws.push(() => ({ method: 'PATCH', path, body, status: 200, after }))
    const metadata = record.metadata?.[uniqueKey] && { [uniqueKey]: record.metadata[uniqueKey] }
    if (metadata) {
      const put = { ...requiredOf(resource, record), ...body, metadata }
      draws.push(() => ({ method: 'PUT', path: upsertPath(resource), body: put, status: 200, after }))
    }
  }
  if (random.below(8) === 0 && operations.includes('delete')) {
    return { method: 'DELETE', path, status: 200, after: undefined }
  }
  if (random.below(8) === 0 && resource.name === 'api_key') {
    return { method: 'POST', path: `${path}/revoke`, status: 200, after: { ...record, revoked_at: 'now' } }
  }
  return draws.length > 0 ? random.pick(draws)() : undefined
}

/** Merges a record into another one, which keeps its values and gets the items. */
export function drawMerge({ path, collections }: Resource, record: JsonRecord, other: JsonRecord): Change {
  const items = Object.values(collections).map(({ as, fields }) => {
    const [main] = Object.keys(fields) as [string]
    const known = new Set(record[as].map((item: JsonRecord) => item[main]))
    return [as, [...record[as], ...other[as].filter((item: JsonRecord) => !known.has(item[main]))]]
  })
  const after = { ...record, ...Object.fromEntries(items) }
  return { method: 'POST', path: `/${path}/${record.id}/merge`, body: { with: [other.id] }, status: 200, after }
}

/** Restores a deleted record, or erases it. */
export function drawTrashed(random: Random, record: JsonRecord): Change {
  const path = `/api-v1-trash/${record.id}`
  if (random.below(3) === 0) return { method: 'DELETE', path, status: 200, after: undefined }
  return { method: 'POST', path: `${path}/restore`, status: 200, after: record }
}

/** Undoes the request that was the last to change a record, which was `before`. */
export function drawUndo({ requestId, before }: { requestId: string; before: JsonRecord }): Change {
  return { method: 'POST', path: '/api-v1-undo', body: { request_id: requestId }, status: 200, after: before }
}

function act(
  random: Random,
  { path, fields }: Resource,
  record: JsonRecord,
  action: Action,
  references: Record<string, readonly string[]>,
): Change {
  const { takes, patch } = action
  const body = takes && { [takes]: random.pick(references[fields[takes]!.target!.name]!) }
  return {
    method: 'PATCH',
    path: `/${path}/${record.id}/${action.path}`,
    ...(body && { body }),
    status: 200,
    after: { ...record, ...patch(body || {}) },
  }
}

/** Adds an item, or changes or deletes an existing one. */
function changeItem(
  random: Random,
  record: JsonRecord,
  path: string,
  { as, fields }: Collection,
  number: number,
): Change {
  const [items, field] = [record[as] as JsonRecord[], nameOf(fields)]
  const body = { [field]: fields[field]!.kind === 'email' ? `text.${number}@kontor.example` : `+49 ${number}` }
  const item = items.length > 0 && random.below(3) > 0 ? random.pick(items) : undefined
  const after = (changed: JsonRecord[]) => ({ after: { ...record, [as]: changed } })
  if (!item) return { method: 'POST', path, body, status: 201, ...after([...items, body]) }
  const at = { path: `${path}/${item.id}`, status: 200 }
  if (random.below(3) === 0) return { method: 'DELETE', ...at, ...after(items.filter((each) => each !== item)) }
  return { method: 'PATCH', ...at, body, ...after(items.map((each) => (each === item ? { ...each, ...body } : each))) }
}

/** The required field of an item. */
function nameOf(fields: Collection['fields']): string {
  return Object.values(fields).find(({ required }) => required !== undefined)!.name
}

function upsertPath({ path }: Resource): string {
  return `/${path}?match_on=metadata.${uniqueKey}`
}

/** The values of the fields that the body of a create must have. */
function requiredOf({ fields }: Resource, record: JsonRecord): JsonRecord {
  const required = Object.values(fields).filter((field) => field.required !== undefined)
  return Object.fromEntries(required.map(({ name }) => [name, record[name]]))
}

function textOf(number: number): string {
  return `Text ${number}`
}
