import assert from 'node:assert/strict'
import type { Route } from '../../src/engine/api/call/route.ts'
import { defaultOf } from '../../src/engine/api/openapi/shapes.ts'
import { routesOf } from '../../src/engine/api/routes.ts'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import type { Client } from './client.ts'
import { rulesOf } from './field-rules.ts'
import { consistent, exampleOf, isDistinct, isNeeded, type JsonRecord, make, newBody, variantOf } from './make.ts'
import { validOf } from './samples.ts'
import type { Server } from './start.ts'

/** The resources that the contract tests test: all, or only those named in KONTOR_TEST_RESOURCES, separated by commas. */
export const tested: readonly Resource[] = process.env.KONTOR_TEST_RESOURCES?.split(',').map(findResource) ?? resources

function findResource(name: string): Resource {
  const found = resources.find((each) => each.name === name)
  assert.ok(found, `KONTOR_TEST_RESOURCES names ${name}; there are: ${resources.map((each) => each.name).join(', ')}`)
  return found
}

/** Whether a path belongs to one of them. */
export const isTested = (path: string): boolean =>
  tested === resources || tested.some((each) => `${path}/`.startsWith(`/${each.path}/`))

/** Whether examples of a path can be requested as they are: those of mail show what a delivery has made (test/features/mail). */
export const isSelfContained = (path: string): boolean => !/^\/(?:api-v1-(?:messages|mail-)|mail\/)/.test(path)

/** A valid id that no record has. */
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The fields that a body sets. The service sets the others. */
export const fieldsOf = (resource: Resource): Field[] =>
  Object.values(resource.fields).filter((field) => !field.readonly)

/** The fields that a patch sets. */
export const patchedOf = (resource: Resource): Field[] => fieldsOf(resource).filter((field) => !field.fixed)

/** The fields that a patch can set to any valid value. */
export function freelyPatchedOf(resource: Resource): Field[] {
  const ruled = rulesOf(resource).flatMap(({ fields }) => fields)
  return patchedOf(resource).filter(({ name }) => !ruled.includes(name))
}

/** What lists compare of a value: the address of a mailbox, without case. */
export function comparedOf(value: unknown): unknown {
  const isMailbox = value !== null && typeof value === 'object' && 'address' in value
  return isMailbox ? String(value.address).toLowerCase() : (value ?? null)
}

/** A patch that every record accepts, and one that every record rejects. */
export function touch(resource: Resource): { valid: Record<string, unknown>; invalid: Record<string, unknown> } {
  const patched = patchedOf(resource)
  const metadata = patched.find(({ kind }) => kind === 'metadata')
  if (metadata) return { valid: { [metadata.name]: { touched: true } }, invalid: { [metadata.name]: [] } }
  const texts = patched.filter(({ kind }) => kind === 'text')
  const { name } = texts.find(({ nullable }) => nullable) ?? texts[0] ?? {}
  if (name === undefined) {
    const { name: number } = patched.find(({ kind }) => kind === 'number')!
    return { valid: { [number]: ++touches }, invalid: { [number]: 'five' } }
  }
  const value = isDistinct(resource, name) ? `Touched ${++touches}` : 'touched'
  return { valid: { [name]: value }, invalid: { [name]: 5 } }
}

let touches = 0

/** Whether both workspaces of a company see its records, (decisions A2, T8). */
export const isCompanyWide = ({ name, table, ofCompany }: Resource): boolean => table !== name || ofCompany

/** Whether lists can be filtered by the time of creation: all except those of users (decision E2). */
export const filtersByCreation = ({ filters }: Resource): boolean => filters.includes('created_at')

/** Whether its records have positions without gaps: one that is created or deleted changes the others (decision E1). */
export const isOrdered = ({ fields }: Resource): boolean =>
  Object.values(fields).some(({ kind, chosen, readonly }) => kind === 'position' && chosen && !readonly)

/** The metadata of a new record whose body has `sent`: the service may add members, as it does in the example. */
export function createdMetadata({ about }: Resource, sent: unknown = {}): unknown {
  const added = Object.entries((about.shown?.metadata ?? {}) as object).filter(
    ([name]) => !Object.hasOwn((about.example.metadata ?? {}) as object, name),
  )
  return { ...(sent as object), ...Object.fromEntries(added) }
}

/**
 * Deletes the records that every workspace begins with: the stages of its pipeline (decision E1). Returns the ids of those that stay: there is
 * always a default pipeline.
 */
export async function clear(client: Client, resource: Resource): Promise<string[]> {
  const { body } = await client.get(`/${resource.path}`)
  const [staying, others] = [body.data.filter(isDefault), body.data.filter((each: JsonRecord) => !isDefault(each))]
  for (const { id } of others) {
    const { status } = await client.delete(`/${resource.path}/${id}`)
    assert.equal(status, 200)
  }
  return idsOf(staying)
}

/** Whether it is a record that is never deleted: the default one. */
export const isDefault = ({ is_default }: JsonRecord): boolean => is_default === true

export function offers(resource: Resource, method: Route['method']): boolean {
  const path = `/${resource.path}${method === 'POST' ? '' : '/:id'}`
  return routesOf(resource).some((route) => route.method === method && route.path === path)
}

/** A body that names every field that can be set through the API, none with its default or the value of a new body. */
export async function fullBody(client: Client, resource: Resource, row = 0): Promise<Record<string, unknown>> {
  const body = newBody(resource)
  for (const field of fieldsOf(resource)) {
    const former = [defaultOf(field), body[field.name]].map((value) => JSON.stringify(value))
    const values = (await validOf(client, field)).filter((value) => !former.includes(JSON.stringify(value)))
    const value = values[row % values.length] ?? defaultOf(field)
    body[field.name] = isDistinct(resource, field.name) ? exampleOf(resource, field) : value
  }
  return consistent(resource, body)
}

const plantedCount = 8

/**
 * Creates records that differ in every field, with ties and nulls, at several moments of several days. Returns them as GET by id does.
 */
export async function plant(
  { clock, store }: Pick<Server, 'clock'> & Partial<Pick<Server, 'store'>>,
  client: Client,
  resource: Resource,
): Promise<JsonRecord[]> {
  if (offers(resource, 'DELETE')) await clear(client, resource)
  const ids = idsOf((await client.get(`/${resource.path}`)).body.data)
  const choices = await Promise.all(
    fieldsOf(resource).map(async (field) => [field, await validOf(client, field)] as const),
  )
  for (let row = ids.length; row < plantedCount; row++) {
    if (row % 3 === 2) clock.advance(7 * 3_600_000)
    const values = choices.map(([field, all], column) => [field.name, pick(resource, field, all, row, column)])
    const items = await itemsFor(client, resource, row)
    ids.push((await make(client, resource.name, { ...Object.fromEntries(values), ...items })).id)
  }
  clock.advance(3_600_000)
  for (const id of offers(resource, 'PATCH') ? [ids[5], ids[1]] : []) {
    await client.patch(`/${resource.path}/${id}`, touch(resource).valid)
  }
  clock.advance(3_600_000)
  return Promise.all(
    ids.map(async (id) =>
      withUnshown(client, store, resource, (await client.get(`/${resource.path}/${id}`)).body.data),
    ),
  )
}

/** Adds what lists compare but no response shows: summaries group by it, if there are any. A comparison of records leaves it out. */
async function withUnshown(client: Client, store: Server['store'] | undefined, resource: Resource, record: JsonRecord) {
  const { path, filters, unshown, counted, idTable } = resource
  for (const name of filters.filter((each) => Object.hasOwn(unshown, each))) {
    const grouped =
      counted && (await client.get(`/${path}/summary?id=${record.id}&group_by=${name}`)).body.data[0].group
    const value = grouped
      ? grouped[name]
      : store?.access.value(`SELECT ${name} FROM ${idTable} WHERE id = ?`, record.id)
    Object.defineProperty(record, name, { value, enumerable: false })
  }
  return record
}

function pick(resource: Resource, field: Field, values: readonly unknown[], row: number, column: number): unknown {
  const value = values[row % values.length]
  const isRequired = isNeeded(field)
  if (!isRequired && (row + column) % 4 === 3) return null
  if (!isRequired && !isDistinct(resource, field.name)) return value
  if (field.kind === 'text') return `${value} ${row}`
  if (field.kind === 'pattern' && isDistinct(resource, field.name)) return variantOf(value, row, field.shape.pattern)
  return field.kind === 'email' ? `${row}${value}` : value
}

async function itemsFor(client: Client, resource: Resource, row: number): Promise<Record<string, unknown>> {
  const items = Object.entries(resource.collections).map(async ([name, { fields }]) => {
    const required = Object.values(fields).filter((field) => field.required !== undefined)
    const values = await Promise.all(required.map(async (field) => [field.name, await validOf(client, field)] as const))
    const item = (at: number) => Object.fromEntries(values.map(([field, all]) => [field, all[at % all.length]]))
    return [name, [item(row), item(row + 4)].slice(0, row % 3)]
  })
  return Object.fromEntries(await Promise.all(items))
}

/** A route's path with the ids of a record and of its first items. */
export function pathOf({ path }: Pick<Route, 'path'>, { collections, links }: Resource, record: JsonRecord): string {
  const items = [
    ...Object.values(collections).map(({ as, item }) => [`:${item}_id`, record[as]?.[0].id] as const),
    ...Object.values(links).map(({ to, first }) => [`:${to}`, record[first]] as const),
  ]
  return items.reduce((known, [name, id]) => known.replace(name, id), path.replace(':id', record.id))
}

/** `?sort=name&name[like]=x`, encoded. */
export function listPath(resource: Resource, parameters: Record<string, unknown> = {}): string {
  return `/${resource.path}?${new URLSearchParams(parameters as Record<string, string>)}`
}

export function idsOf(records: { id: string }[]): string[] {
  return records.map(({ id }) => id)
}
