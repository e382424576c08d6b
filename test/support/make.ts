import assert from 'node:assert/strict'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import type { ApiResponse, Client } from './client.ts'
import { rulesOf } from './field-rules.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record as JSON
export type JsonRecord = any

type Body = Record<string, unknown>

let texts = 0

/** The required fields with their examples, except references: `bodyFor` has them, too. */
export function newBody(resource: Resource): Body {
  const required = requiredOf(resource).filter(({ target }) => !target)
  return Object.fromEntries(required.map((field) => [field.name, exampleOf(resource, field)]))
}

function requiredOf({ fields }: Resource): Field[] {
  return Object.values(fields).filter((field) => isNeeded(field) && !field.readonly)
}

/** Whether a new record needs a value: a text that is never empty may come from elsewhere, but only from other fields. */
export function isNeeded({ required, chosen, kind }: Field): boolean {
  return required !== undefined || (chosen === true && kind === 'text')
}

/** A valid body with only the required fields. Makes the records to which it must refer, unless they are among `fields`. */
export async function bodyFor(client: Maker, resource: Resource, fields: Body = {}): Promise<Body> {
  const body = newBody(resource)
  for (const { name, target } of requiredOf(resource)) {
    if (target && !Object.hasOwn(fields, name)) body[name] = (await make(client, target.name)).id
  }
  return consistent(resource, { ...body, ...fields })
}

/** Whether records must have different values of a field. */
export function isDistinct({ unique, same }: Resource, name: string): boolean {
  return name === unique || name === same?.[0]
}

/** The value of the example record; a field whose values must differ has a new one each time. */
export function exampleOf(resource: Resource, { name, kind, label, shape }: Field): unknown {
  const value = resource.about.example[name]
  if (!isDistinct(resource, name)) return value
  if (kind === 'pattern') return variantOf(value, ++texts, shape.pattern)
  return kind === 'email' ? `${++texts}.${value}` : `${value ?? label} ${++texts}`
}

/** Another value of the same pattern: a further part of a URL or of a name, or a code of as many letters. */
export function variantOf(value: unknown, number: number, pattern: unknown = ''): string {
  const longer = String(value).includes('/') ? `${value}/${number}` : `${value}_${number}`
  if (new RegExp(String(pattern)).test(longer)) return longer
  const letter = (at: number) => String.fromCharCode(65 + (Math.floor(number / 26 ** at) % 26))
  return Array.from(String(value), (_, at) => letter(at)).join('')
}

/** One valid item of each collection. */
export function newItems({ collections }: Resource): Body {
  return Object.fromEntries(Object.entries(collections).map(([name, { about }]) => [name, [about.first]]))
}

/** What a new record needs to have a link of each kind. */
export async function newLinks(client: Maker, { links }: Resource): Promise<Body> {
  const made: Body = {}
  for (const { first, target } of Object.values(links)) made[first] = (await make(client, target.name)).id
  return made
}

interface Maker extends Pick<Client, 'get' | 'post'> {
  addUser?: Client['addUser']
  addMessage?: Client['addMessage']
  request?: Client['request']
}

/**
 * Creates records of a resource as a key or as a signed-in user, one or one for each body. Returns the last one.
 * Only the fields that matter to the test are given; the required ones are as in the example.
 */
export async function make(client: Maker, name: string, ...bodies: Body[]): Promise<JsonRecord> {
  const resource = resources.find((each) => each.name === name)!
  let made: JsonRecord
  for (const body of bodies.length > 0 ? bodies : [{}]) made = await makeOne(client, resource, body)
  return made
}

async function makeOne(client: Maker, resource: Resource, fields: Body): Promise<JsonRecord> {
  const { name, path, operations } = resource
  if (name === 'file') return await makeFile(client, fields)
  if (name === 'message') return (await client.get(`/${path}/${await client.addMessage!(fields)}`)).body.data
  if (!operations.includes('create')) return (await client.get(`/${path}/${await client.addUser!(fields)}`)).body.data
  const response = await client.post(`/${path}`, await bodyFor(client, resource, fields))
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return recordOf(resource, response)
}

/** Uploads a file that belongs to a new organization, unless the fields say to what. */
async function makeFile(client: Maker, { metadata, ...fields }: Body): Promise<JsonRecord> {
  const isOwned = Object.entries(fields).some(([name, value]) => name.endsWith('_id') && value)
  const owner = isOwned ? {} : { organization_id: (await make(client, 'organization')).id }
  const given = {
    name: 'offer.pdf',
    ...owner,
    ...fields,
    ...(metadata !== undefined && { metadata: JSON.stringify(metadata) }),
  }
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== null) as [string, string][])
  const init = { headers: { 'Content-Type': 'application/pdf' }, body: '%PDF-1.7' }
  const response = await client.request!('POST', `/api-v1-files?${query}`, init)
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body.data
}

/** A record without the members that only the response to its creation shows. */
export function recordOf({ about }: Resource, { body }: ApiResponse): JsonRecord {
  const once = Object.keys(about.once ?? {})
  return Object.fromEntries(Object.entries(body.data).filter(([name]) => !once.includes(name)))
}

/** The body, with another value of a choice or without an optional field if a rule between fields requires it. */
export function consistent(resource: Resource, body: Body): Body {
  if (isConsistent(resource, body)) return body
  const choices = Object.values(resource.fields).filter(({ name, options }) => options?.includes(body[name] as string))
  const chosen = choices.flatMap(({ name, options }) => options!.map((value) => ({ ...body, [name]: value })))
  const ruled = rulesOf(resource).flatMap(({ fields }) => fields)
  const lesser = ruled.map((left) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== left)))
  return [...chosen, ...lesser].find((each) => isConsistent(resource, each)) ?? body
}

function isConsistent(resource: Resource, body: Body): boolean {
  const { check, fields } = resource
  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
  const isChecked = check === undefined || check({ ...none, ...body }).length === 0
  return isChecked && rulesOf(resource).every(({ obeys }) => obeys === undefined || obeys({ ...none, ...body }))
}
