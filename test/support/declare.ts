import { make } from './make.ts'
import type { Visitor } from './visitor.ts'

/** Declares fields of a resource, in this order. */
export async function declare(api: Visitor, resource: string, ...fields: object[]): Promise<void> {
  const placed = fields.map((field, position) => ({ resource, position, ...field }))
  await make(api, 'field', ...placed)
}

/** A field of each type. */
export const ofEachType = [
  { key: 'sector', label: 'Sector', type: 'text' },
  { key: 'employees', label: 'Employees', type: 'number' },
  { key: 'vip', label: 'Key account', type: 'boolean' },
  { key: 'renews', label: 'Renews on', type: 'date' },
  { key: 'audit', label: 'Next audit', type: 'datetime' },
  { key: 'tier', label: 'Tier', type: 'choice', options: ['gold', 'silver_plus'] },
  { key: 'site', label: 'Site', type: 'url' },
  { key: 'billing', label: 'Billing email', type: 'email' },
  { key: 'hotline', label: 'Hotline', type: 'phone' },
]
