import assert from 'node:assert/strict'
import type { Field, Resource } from '../../src/engine/definition/define.ts'
import type { Route } from '../../src/engine/route.ts'
import { routesOf } from '../../src/engine/routes.ts'
import type { Client } from './client.ts'
import { bodies, type JsonRecord, make, sound } from './make.ts'
import { validOf } from './samples.ts'
import type { Server } from './start.ts'

/** A valid id that no record has. */
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The fields that a body sets; the others are the service's. */
export const fieldsOf = (resource: Resource): Field[] =>
  Object.values(resource.fields).filter((field) => !field.readonly)

/** The fields that a patch sets. */
export const patchedOf = (resource: Resource): Field[] => fieldsOf(resource).filter((field) => !field.fixed)

/** A patch that every record of it takes, and one that is refused. */
export function touch({ fields }: Resource): { valid: Record<string, unknown>; faulty: Record<string, unknown> } {
  if (fields.metadata) return { valid: { metadata: { touched: true } }, faulty: { metadata: [] } }
  return { valid: { description: 'touched' }, faulty: { description: 5 } }
}

/** decision A2: users and keys are a company's, seen from both of its workspaces; everything else is of one workspace. */
export const isCompanyWide = ({ name }: Resource): boolean => ['user', 'api_key'].includes(name)

/** Whether lists can be filtered by the time of creation: all but those of users (decision E2). */
export const tellsTime = ({ filters }: Resource): boolean => filters.includes('created_at')

/** spec: Task, Activity; decision D10 */
const marked = ['task', 'activity']

/** A new record's metadata, when this was sent. */
export function createdMetadata({ name }: Resource, sent: unknown = {}): unknown {
  return marked.includes(name) ? { ...(sent as object), created_via: 'api' } : sent
}

/** Deletes what a workspace begins with: its pipeline (decision E1). */
export async function clear(client: Client, resource: Resource): Promise<void> {
  const { body } = await client.get(`/${resource.path}`)
  for (const { id } of body.data) {
    const { status } = await client.delete(`/${resource.path}/${id}`)
    assert.equal(status, 200)
  }
}

export function offers(resource: Resource, method: Route['method']): boolean {
  const path = `/${resource.path}${method === 'POST' ? '' : '/:id'}`
  return routesOf(resource).some((route) => route.method === method && route.path === path)
}

/** A body that names every field that can be set through the API, none with its default. */
export async function fullBody(client: Client, resource: Resource, row = 0): Promise<Record<string, unknown>> {
  const body = bodies[resource.name]!()
  for (const field of fieldsOf(resource).filter(({ name }) => name !== resource.unique)) {
    const values = (await validOf(client, field)).filter((value) => field.kind === 'flag' || value !== field.default)
    body[field.name] = values[row % values.length]
  }
  return sound(resource.name, body)
}

const plantedCount = 8

/** Records that differ in every field, with ties and nulls, made at several moments of several days; as GET by id gives them. */
export async function plant(
  { clock }: Pick<Server, 'clock'>,
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
    const { id } = await make(client, resource.name, {
      ...Object.fromEntries(choices.map(([field, values], column) => [field.name, pick(field, values, row, column)])),
      ...(await itemsFor(client, resource, row)),
    })
    ids.push(id)
  }
  clock.advance(3_600_000)
  for (const id of offers(resource, 'PATCH') ? [ids[5], ids[1]] : []) {
    await client.patch(`/${resource.path}/${id}`, touch(resource).valid)
  }
  clock.advance(3_600_000)
  return Promise.all(ids.map(async (id) => (await client.get(`/${resource.path}/${id}`)).body.data))
}

function pick(field: Field, values: unknown[], row: number, column: number): unknown {
  const value = values[row % values.length]
  if (field.required !== undefined && field.kind === 'text') return `${value} ${row}`
  if (field.required !== undefined && field.kind === 'email') return `${row}${value}`
  if (field.required !== undefined) return value
  return (row + column) % 4 === 3 ? null : value
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

/** `?sort=name&name[like]=x`, encoded. */
export function listPath(resource: Resource, parameters: Record<string, unknown> = {}): string {
  return `/${resource.path}?${new URLSearchParams(parameters as Record<string, string>)}`
}

export function idsOf(records: { id: string }[]): string[] {
  return records.map(({ id }) => id)
}
