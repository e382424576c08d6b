import { hash } from 'node:crypto'
import { timestamp } from '../../../lib/clock.ts'
import type { Collection, Resource } from '../../records/definition/resource.ts'
import { defaultOf } from './shapes.ts'

type ExampleRecord = Readonly<Record<string, unknown>>

const madeMs = Date.UTC(2026, 10, 23, 9, 30)

/** The times at which the example records were created and changed. */
export const madeAt = timestamp(madeMs)
export const changedAt = timestamp(madeMs + 900_000)

/** A UUIDv7 for each name, always the same. */
export function exampleId(name: string): string {
  const ms = madeMs.toString(16).padStart(12, '0')
  const rest = hash('sha256', name)
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

/** A body that creates the example record. References refer to the other example records. */
export function exampleBody({ fields, about, collections }: Resource): ExampleRecord {
  const references = Object.values(fields).flatMap(({ name, target, readonly }) =>
    target && !readonly ? [[name, exampleId(target.name)]] : [],
  )
  const given = { ...Object.fromEntries(references), ...about.example }
  const items = Object.entries(collections).map(([name, { about }]) => [name, [about.first]])
  const ordered = Object.keys(fields).filter((name) => name in given)
  const unshown = Object.entries(about.unshown ?? {}).map(([name, { example }]) => [name, example])
  return Object.fromEntries([...ordered.map((name) => [name, given[name]]), ...items, ...unshown])
}

/** The example record in a response: the values of its body, and those that the service sets. */
export function exampleRecord(resource: Resource, change: ExampleRecord = {}, changed = false): ExampleRecord {
  const { name, columns, fields, about, relations, collections } = resource
  const values = { ...exampleBody(resource), ...about.shown, ...change }
  const stamps = { created_at: madeAt, updated_at: changed ? changedAt : madeAt }
  const columnValues = Object.values(columns).map((field) => [
    field.name,
    values[field.name] ??
      (field.name in fields ? (defaultOf(field) ?? null) : stamps[field.name as keyof typeof stamps]),
  ])
  const related = Object.entries(relations).map(([key, { target, by, fields }]) => [
    key,
    values[by] ? summaryOf(target, fields) : null,
  ])
  const items = Object.values(collections).map((each) => [each.as, [firstItem(each)]])
  return { id: change.id ?? exampleId(name), ...Object.fromEntries([...columnValues, ...related, ...items]) }
}

/** The example record's first item of a collection. */
export function firstItem({ table, about }: Collection): ExampleRecord {
  return { id: exampleId(table), ...about.first }
}

/** The example record in a list, without relations and collections. */
export function listedRecord(resource: Resource, change: ExampleRecord = {}): ExampleRecord {
  const { relations, collections } = resource
  const related = new Set([...Object.keys(relations), ...Object.values(collections).map((each) => each.as)])
  return Object.fromEntries(Object.entries(exampleRecord(resource, change)).filter(([name]) => !related.has(name)))
}

function summaryOf(target: Resource, fields: readonly string[]): ExampleRecord {
  const record = listedRecord(target)
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}
