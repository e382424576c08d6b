import { csvLine, guarded } from '../../../lib/csv.ts'
import { isRawNumber } from '../../../lib/exact-json.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Column } from './columns.ts'

type Json = Readonly<Record<string, unknown>>

/** Writes records as lines of CSV. */
interface Sheet {
  readonly head: string
  lineOf(record: Json): string
}

interface Cell {
  name: string
  of(record: Json): unknown
}

/** The sheet of these columns. A collection has as many columns as its longest list has items. */
export function sheetOf(columns: readonly Column[], raw: boolean, reader: Reader): Sheet {
  const cells = columns.flatMap((column) => cellsOf(column, reader))
  const line = raw ? csvLine : (texts: readonly string[]) => csvLine(guarded(texts))
  return {
    head: line(cells.map(({ name }) => name)),
    lineOf: (record) => line(cells.map((cell) => text(cell.of(record)))),
  }
}

function cellsOf(column: Column, reader: Reader): Cell[] {
  if ('as' in column) return itemCells(column, longest(column, reader))
  const { name } = column
  if ('apart' in column) return [{ name, of: ({ metadata }) => undeclared(metadata as Json, column.apart) }]
  if ('declared' in column) {
    const { key, type } = column.declared
    return [{ name, of: ({ metadata }) => declaredValue(metadata as Json, key, type) }]
  }
  const { field } = column
  if (!('relation' in column)) return [{ name, of: (record) => record[field] }]
  return [{ name, of: (record) => (record[column.relation] as Json | null)?.[field] }]
}

type Items = Extract<Column, { as: string }>

function itemCells({ name, as, fields }: Items, count: number): Cell[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? name : `${name}[${at}]`)).flatMap((place, at) =>
    fields.map((field) => ({ name: `${place}.${field}`, of: (record: Json) => (record[as] as Json[])[at]?.[field] })),
  )
}

/** The length of the workspace's longest list of a collection, at least 1. */
function longest({ items: { table, owner } }: Items, reader: Reader): number {
  const sql = `SELECT max(items) FROM
    (SELECT count(*) AS items FROM ${table} WHERE workspace_id = :workspace GROUP BY ${owner})`
  return reader.value<number>(sql) ?? 1
}

const typesOf: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean' }

/** The value of a declared field, if a cell can hold it; a value of another type stays in the metadata. */
function declaredValue(metadata: Json, key: string, type: string): unknown {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (type === 'choices') return isTexts(value) ? value.join('; ') : undefined
  return typeof value === (typesOf[type] ?? 'string') ? value : undefined
}

/** Whether a cell can hold several options. */
function isTexts(value: unknown): value is string[] {
  const isApart = (each: unknown) =>
    typeof each === 'string' && each.trim() === each && !each.includes(';') && each !== ''
  return Array.isArray(value) && value.length > 0 && value.every(isApart)
}

/** The metadata that no column of a declared field shows, as JSON; empty if there is none. */
function undeclared(metadata: Json, apart: readonly { key: string; type: string }[]): string {
  const rest = { ...metadata }
  for (const { key, type } of apart) if (declaredValue(metadata, key, type) !== undefined) delete rest[key]
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (isRawNumber(value)) return value.rawJSON
  const isNested = [value].flat().some((each) => typeof each === 'object')
  return isNested ? JSON.stringify(value) : String(value)
}
