import type { Field, Resource } from '../../../src/engine/records/definition/resource.ts'
import { consistent, exampleOf } from '../../support/make.ts'

const metadataBytes = 60_000
const itemsMax = 100

/** Metadata almost as large as they may be. */
export function largestMetadata(number = 0): Record<string, unknown> {
  return { number, notes: 'n'.repeat(metadataBytes) }
}

/** A valid body whose texts, metadata and items are as large as they may be, except for texts whose form is limited. */
export function largestBody(resource: Resource): Record<string, unknown> {
  const given = Object.values(resource.fields).filter(({ readonly, name }) => !readonly && !refers(resource, name))
  const fields = Object.fromEntries(given.map((field) => [field.name, largest(resource, field)]))
  const collections = Object.entries(resource.collections).map(([name, { about }]) => [
    name,
    Array.from({ length: itemsMax }, (_, at) => numbered(about.first as Record<string, unknown>, at)),
  ])
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return consistent(resource, { ...known, ...Object.fromEntries(collections) })
}

function refers({ fields }: Resource, name: string): boolean {
  return fields[name]!.target !== undefined || fields[name]!.kind === 'reference'
}

function largest(resource: Resource, field: Field): unknown {
  if (field.kind === 'metadata') return largestMetadata()
  const max = (field.shape as { maxLength?: number }).maxLength
  const isFree = field.kind === 'text' && resource.unique !== field.name && max !== undefined
  return isFree ? 'ä'.repeat(max) : exampleOf(resource, field)
}

/** An item whose address or number differs from those of others. */
function numbered(item: Record<string, unknown>, at: number): Record<string, unknown> {
  const entries = Object.entries(item).map(([name, value]) => {
    if (name === 'email') return [name, `${at}.${value}`]
    return name === 'phone_number' ? [name, `${value}${at}`] : [name, value]
  })
  return { ...Object.fromEntries(entries), is_primary: at === 0 }
}
