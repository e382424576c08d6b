import { hasCredentials, parseWebUrl } from '../../../lib/web-url.ts'
import type { DescribedField } from '../../description.ts'
import { parseLocal } from '../text/days.ts'
import { Invalid } from '../text/invalid.ts'
import type { Values } from './form-merge.ts'
import type { Metadata } from './metadata.ts'

const prefix = 'metadata.'

/** The name in the metadata of a declared field, or of a form's value that is one. */
export function keyOf(name: string): string {
  return name.slice(prefix.length)
}

export function isDeclaredName(name: string): boolean {
  return name.startsWith(prefix)
}

/** The value of a declared field in metadata. A field may have the name of a member that every object has, such as `constructor`. */
export function declaredIn(metadata: Metadata | undefined, name: string): unknown {
  const key = keyOf(name)
  return metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined
}

/** A form's values for the metadata: one for each declared field, null if there is none, and `metadata` with the others. */
export function splitMetadata(metadata: Metadata, declared: readonly DescribedField[]): Values {
  const keys = declared.map(({ name }) => keyOf(name))
  const own = declared.map(({ name }) => [name, declaredIn(metadata, name) ?? null])
  const others = Object.entries(metadata).filter(([name]) => !keys.includes(name))
  return { ...Object.fromEntries(own), metadata: Object.fromEntries(others) }
}

/** The metadata of a form's values. A null is kept where it is `stored`; otherwise the value is left out. */
export function joinMetadata(values: Values, stored: Metadata = {}): Metadata {
  const own = Object.entries(values)
    .filter(([name]) => isDeclaredName(name))
    .map(([name, value]) => [keyOf(name), value] as const)
    .filter(([key, value]) => (value ?? null) !== null || (Object.hasOwn(stored, key) && stored[key] === null))
  return { ...(values.metadata as Metadata), ...Object.fromEntries(own) }
}

/** Whether a declared field's input can show a value. Others are kept as they are until they are replaced. */
export function fits({ kind }: DescribedField, value: unknown): boolean {
  if (value === null || value === undefined || value instanceof Invalid) return true
  if (kind === 'number') return typeof value === 'number'
  if (kind === 'flag') return typeof value === 'boolean'
  if (kind === 'choices') return Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (typeof value !== 'string') return false
  if (kind === 'date') return parseLocal(value) !== undefined
  return kind !== 'timestamp' || isMoment(value)
}

/** `2026-06-15T14:30:00Z`, with any time zone. A day alone is its first moment in UTC. */
function isMoment(value: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:?\d\d))?$/i.test(value) && !Number.isNaN(Date.parse(value))
}

/** The address that a value links to; undefined unless it is safe: a link runs no script, and does not hide its host behind a user name. */
export function linkOf({ kind }: DescribedField, text: string): string | undefined {
  if (kind === 'url') return parseWebUrl(text) && !hasCredentials(text) ? text : undefined
  if (kind === 'email') return /^[^\s@?&:/]+@[^\s@?&:/]+$/.test(text) ? `mailto:${text}` : undefined
  if (kind === 'phone') return /^\+?[\d\s().\-/]+$/.test(text) ? `tel:${text.replace(/[^\d+]/g, '')}` : undefined
  return undefined
}
