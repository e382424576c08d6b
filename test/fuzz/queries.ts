import type { Route } from '../../src/engine/api/call/route.ts'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import { uniqueKey } from '../support/fields.ts'
import type { Random } from '../support/random.ts'
import { sampleOf } from '../support/samples.ts'
import { junkText } from './junk.ts'
import { markFor, type Tenant } from './tenant.ts'

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'in', 'nonsense']
/** An id of another UUID version, which no record has. */
export const unknownId = '01890a5d-ac96-474b-bcce-b302099a8057'

/** The input of a random request. */
export interface Draw {
  random: Random
  tenant: Tenant
  /** Tenants whose ids, texts and cursors are also tried. */
  others: readonly Tenant[]
}

/** The query string of a request. */
export function drawQuery(draw: Draw, route: Route, resource: Resource | undefined, valid: boolean): string {
  const { random } = draw
  const isList = resource !== undefined && route.method === 'GET' && route.path === `/${resource.path}`
  const parts: string[] = []
  if (isList) {
    for (let i = random.below(3); i > 0; i--) parts.push(drawFilter(draw, resource, valid))
    if (random.below(3) === 0) parts.push(`sort=${random.pick(['', '-'])}${random.pick(resource.sorts)}`)
    if (random.below(3) === 0) parts.push(`include=${drawInclude(random, resource)}`)
    if (random.below(3) === 0) parts.push(drawPaging(draw))
  }
  if (resource && route.path === `/${resource.path}/summary`) {
    if (random.below(3) > 0) parts.push(`group_by=${random.pick(resource.filters)}`)
    if (random.below(2) === 0) parts.push(drawFilter(draw, resource, valid))
  }
  if (resource && isUpsert(route)) parts.push(`match_on=${random.pick(matchedBy(resource))}`)
  if (route.takesFile) parts.push(...drawUpload(draw, valid))
  if (route.path === '/api-v1-search') parts.push(`q=${encodeURIComponent(drawSearch(draw, valid))}`)
  if (route.path === '/api-v1-changes') parts.push(...drawFeedQuery(draw, valid))
  if (!valid && random.below(4) === 0) parts.push(`${junkText(random)}=${junkText(random)}`)
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

/** Whether a route creates or updates a record that it matches. */
export function isUpsert({ method, path }: Route): boolean {
  return method === 'PUT' && !path.includes(':')
}

export function matchedBy({ matchedBy }: Resource): readonly string[] {
  return matchedBy.length > 0 ? matchedBy : [`metadata.${uniqueKey}`]
}

function drawUpload({ random, tenant, others }: Draw, valid: boolean): string[] {
  const whose = random.below(valid ? 8 : 3) === 0 ? random.pick(others) : tenant
  const known = whose.places.get('/api-v1-organizations') ?? []
  const id = known.length > 0 ? random.pick(known).id : unknownId
  return [`name=${valid ? markFor(tenant, '/api-v1-files') : junkText(random)}`, `organization_id=${id}`]
}

function drawSearch({ random, tenant, others }: Draw, valid: boolean): string {
  return random.pick([tenant.mark, random.pick(others).mark, valid ? 'a' : junkText(random)])
}

function drawFilter(draw: Draw, resource: Resource, valid: boolean): string {
  const { random, tenant, others } = draw
  const name = random.pick([...resource.filters, ...Object.keys(resource.itemFilters)])
  const field = resource.stored[name]
  const operator = valid ? (field?.filter?.operators ?? ['eq'])[0]! : random.pick(operators)
  const theirs = random.pick(others)
  const value = random.pick([
    () => encodeURIComponent(String((field && drawValue(draw, field, resource)) ?? 'null')),
    () => theirs.mark,
    () => random.pick(theirs.places.get(`/${field?.target?.path}`) ?? [{ id: unknownId }]).id!,
    () => tenant.mark,
    () => junkText(random),
  ])()
  return random.below(2) === 0 ? `${name}[${operator}]=${value}` : `filter[${name}]=${value}`
}

function drawFeedQuery({ random, tenant, others }: Draw, valid: boolean): string[] {
  const { positions, places } = random.below(valid ? 8 : 2) === 0 ? random.pick(others) : tenant
  const ids = [...places.values()].flat().map(({ id }) => id)
  const parts = [
    `after=${random.pick(['start', 'now', ...positions.slice(-9)])}`,
    `limit=${random.below(valid ? 1_200 : 3)}`,
    `types=${random.pick(resources).name}.${valid ? '*' : 'painted'}`,
    `record_id=${ids.length > 0 ? random.pick(ids) : unknownId}`,
    `payload=${valid ? 'ids' : junkText(random)}`,
  ]
  return parts.filter(() => random.below(4) === 0)
}

function drawInclude(random: Random, { relations, collections }: Resource): string {
  const names = [...Object.keys(relations), ...Object.keys(collections), 'nothing']
  return names.filter(() => random.below(2) === 0).join(',')
}

function drawPaging({ random, tenant, others }: Draw): string {
  const cursors = random.below(3) === 0 ? random.pick(others).cursors : tenant.cursors
  return random.pick([
    () => `limit=${random.below(5)}`,
    () => `page=${random.below(4)}&per_page=${1 + random.below(1200)}`,
    () => `cursor=${cursors.length > 0 ? random.pick(cursors) : 'none'}`,
    () => `cursor=${junkText(random)}`,
    () => `page=${junkText(random)}`,
  ])()
}

export function drawValue({ random, tenant, others }: Draw, field: Field, resource: Resource): unknown {
  const mark = markFor(tenant, `/${resource.path}`)
  if (field.target) {
    const whose = random.below(10) === 0 ? random.pick(others) : tenant
    return whose.places.get(`/${field.target.path}`)?.at(-1 - random.below(7))?.id ?? null // the newest ones: older ones are deleted by now
  }
  if (field.kind === 'metadata') return { by: mark }
  if (field.kind === 'moment') return '2026-06-15'
  if (field.kind === 'text') return `${mark} ${random.below(1000)}`
  if (field.kind === 'email') return `${mark}.${random.below(1000)}@kontor.example`
  return random.pick(sampleOf(field))
}
