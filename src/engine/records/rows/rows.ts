import { packUuid } from '../../../lib/uuid.ts'
import { nameActor } from '../../../store/actor-name.ts'
import { noteErasure } from '../../../store/erasures.ts'
import type { Writer } from '../../../store/reader.ts'
import { columnNames, columnValues, sqlName } from '../columns.ts'
import { enterValues, removeValues } from '../declared/values.ts'
import type { Change, Items, Row } from '../definition/change.ts'
import { perResource } from '../definition/per-resource.ts'
import type { Collection, Field, Link, Resource } from '../definition/resource.ts'
import { enterIdLists } from '../id-lists.ts'
import { linksAfter, listLinks } from '../links.ts'
import { collectionText, dataText } from '../select.ts'
import { blankOf } from './blank.ts'
import { eraseLinks, type Mentions } from './erase-links.ts'
import { changedFields, formerValues } from './former-values.ts'
import { isSameItem } from './items.ts'
import { isMilestone } from './milestone.ts'
import { type Cause, isAboutVisibility, isOwned, titleOf } from './row-facts.ts'
import { noteScrubbed } from './scrubbed.ts'
import { lookupDeletedRow, lookupRow, remembered, type StoredRow } from './stored-row.ts'

// The statements that change the rows of records. Each logs its change in the same transaction. A guard test finds any other
// statement that writes these tables.

/** Inserts a record and its items, whose ids are new unless they have one. */
export function insertRow(resource: Resource, tx: Writer, id: string, row: Row, items: Record<string, Row[]>): void {
  const { table, collections } = resource
  const columns = storedFields(resource)
  tx.run(insertSql(table, 'id', columns), id, ...columnValues(columns, row))
  for (const [name, collection] of Object.entries(collections)) {
    for (const item of items[name] ?? []) insertItem(collection, tx, id, String(item.id ?? tx.newId()), item)
  }
  const linked = linksAfter(resource, tx, { id, before: undefined, after: row }, items)
  for (const [name, links] of Object.entries(linked)) replaceLinks(resource.links[name]!, tx, id, links)
  enterIdLists(resource, tx, id, undefined, row)
  enterValues(resource, tx, id, row)
  if (!isOwned(resource, row)) {
    const data = resource.keepsData ? dataText(resource, tx.unrestricted, id) : undefined
    tx.log({ type: `${resource.name}.created`, recordId: id, data })
  }
  resource.afterWrite?.({ tx, id, before: undefined, after: row })
}

/** A change of a row, and the new items of some of its collections. */
interface RowChange extends Change {
  readonly before: StoredRow
  /** The fields whose new values follow from other records: an undo leaves them to the rules. */
  readonly derived?: readonly string[]
  readonly items?: Items
}

/** Writes the changed fields and the given items. Writes nothing, and returns false, if there are none. */
export function updateRow(resource: Resource, change: RowChange): boolean {
  const previous = writeChanges(resource, change)
  if (change.after.metadata !== change.before.metadata) enterValues(resource, change.tx, change.id, change.after)
  if (previous === undefined) return false
  if (!resource.storage && !isOwned(resource, change.after)) logUpdated(resource, change, previous) // a storage logs the change
  resource.afterWrite?.(change)
  return true
}

function logUpdated(resource: Resource, change: RowChange, previous: string): void {
  const event = Object.entries(resource.events).find(([, happens]) => happens(change))?.[0]
  if (resource.progressing && event === undefined) return
  logUpdate(resource, change.tx, change.id, event ?? 'updated', previous)
}

const storedFields = perResource<readonly Field[]>(({ stored }) => Object.values(stored))

/** Returns the former values as JSON; undefined if nothing has changed. */
function writeChanges(
  resource: Resource,
  { tx, id, before, after, items = {}, derived = [] }: RowChange,
): string | undefined {
  const changed = changedFields(resource, before, after)
  const linked = linksAfter(resource, tx, { id, before, after }, items)
  const collections = Object.keys(items).filter((name) => Object.hasOwn(resource.collections, name))
  if (changed.length === 0 && collections.length + Object.keys(linked).length === 0) return undefined
  setColumns(resource, tx, id, changed, after)
  enterIdLists(resource, tx, id, before, after)
  const former = [
    ...collections.map((name) => `"${name}":${replaceItems(resource, name, tx, id, items[name]!)},`),
    ...Object.entries(linked).map(([name, each]) => `"${name}":${replaceLinks(resource.links[name]!, tx, id, each)},`),
  ]
  const values = formerValues(resource, before, changed, derived)
  return `{${former.join('')}${values.slice(1)}`
}

/** Replaces the items that differ, all at once, so that no constraint between rows fails in between. Returns the former ones as JSON. */
function replaceItems(resource: Resource, name: string, tx: Writer, ownerId: string, items: readonly Row[]): string {
  const collection = resource.collections[name]!
  const former = collectionText(resource, name, tx, ownerId)
  const known = new Map((JSON.parse(former) as Row[]).map((item) => [item.id, item]))
  const isKept = (item: Row) => isSameItem(collection, item, known.get(item.id!))
  const kept = new Set(items.filter(isKept).map(({ id }) => id))
  const sql = `DELETE FROM ${collection.table} WHERE workspace_id = :workspace AND ${collection.owner} = ? AND id = ?`
  for (const id of known.keys()) if (!kept.has(id!)) tx.run(sql, ownerId, id!)
  for (const { id, ...item } of items) if (!kept.has(id!)) insertItem(collection, tx, ownerId, String(id), item)
  return former
}

/** Replaces the links of a record. Returns the former ones as JSON. */
function replaceLinks(link: Link, tx: Writer, id: string, links: readonly Row[]): string {
  const { table, owner, to, text } = link
  const former = listLinks(link, tx, id)
  tx.run(`DELETE FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ?`, id)
  const sql = `INSERT INTO ${table} (workspace_id, ${owner}, ${to}, position, ${text}) VALUES (:workspace, ?, ?, ?, ?)`
  for (const [position, each] of links.entries()) tx.run(sql, id, each.id!, position, each[text] ?? null)
  return JSON.stringify(former)
}

/** Marks a record as deleted (spec: Deletion) and puts it into the trash. Removes one that belongs to a user. */
export function deleteRow(resource: Resource, tx: Writer, id: string, row: Row, cause: Cause = {}): void {
  removeValues(resource, tx, id)
  if (isOwned(resource, row)) {
    tx.run(`DELETE FROM main.${resource.table} WHERE workspace_id = :workspace AND id = ?`, id)
    resource.afterWrite?.({ tx, id, before: row, after: undefined })
    return
  }
  tx.run(`UPDATE main.${resource.table} SET deleted_at = ? WHERE workspace_id = :workspace AND id = ?`, tx.now, id)
  const sql = `INSERT INTO main.trash (workspace_id, id, type, title, deleted_at_key, deleted_by, merged_into, deleted_with)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?)`
  const author = JSON.stringify(nameActor(tx, tx.origin.actor))
  const { mergedInto = null, deletedWith = null } = cause
  tx.run(sql, id, resource.name, titleOf(resource, row), tx.now, author, mergedInto, deletedWith)
  const data = resource.keepsData ? dataText(resource, tx.unrestricted, id) : undefined
  tx.log({ type: `${resource.name}.deleted`, recordId: id, data })
  resource.afterWrite?.({ tx, id, before: row, after: undefined, isWithWhole: deletedWith !== null })
}

/** Takes a record out of the trash, with the values of `change.after`. `isWithWhole`: more parts of the same whole return. */
export function restoreRow(resource: Resource, change: RowChange, isWithWhole: boolean): void {
  const { tx, id, before } = change
  const previous = writeChanges(resource, change) ?? formerValues(resource, before)
  const sql = `UPDATE main.${resource.table} SET deleted_at = NULL, updated_at = ? WHERE workspace_id = :workspace AND id = ?`
  tx.run(sql, tx.now, id)
  tx.run('DELETE FROM main.trash WHERE workspace_id = :workspace AND id = ?', id)
  enterValues(resource, tx, id, change.after)
  logUpdate(resource, tx, id, 'restored', previous)
  resource.afterWrite?.({ tx, id, before: undefined, after: change.after, isRestored: true, isWithWhole })
}

/** Writes what a record has after others have been merged into it. The change is logged even if no value differs. */
export function mergeRow(resource: Resource, change: RowChange): void {
  const { tx, id, before, after } = change
  const previous = writeChanges(resource, change) ?? formerValues(resource, before)
  tx.run(`UPDATE main.${resource.table} SET updated_at = ? WHERE workspace_id = :workspace AND id = ?`, tx.now, id)
  if (after.metadata !== before.metadata) enterValues(resource, tx, id, after)
  logUpdate(resource, tx, id, 'merged', previous)
  resource.afterWrite?.(change)
}

/** Overwrites a deleted record, its items, what links say about it (`mentions`), and its values in the log. Its row stays: others may refer to it. */
export function eraseRow(resource: Resource, tx: Writer, id: string, mentions?: Mentions): void {
  const { name, stored, collections, links, idLists, visibleBy } = resource
  const blank = Object.fromEntries(Object.values(stored).map((field) => [field.name, blankOf(field)]))
  const kept = Object.values(stored).filter(
    ({ name: field }) => blank[field] !== undefined && !visibleBy.includes(field),
  )
  setColumns(resource, tx, id, kept, blank as Row)
  for (const { table, owner } of [...Object.values(collections), ...Object.values(links)]) {
    tx.run(`DELETE FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ?`, id)
  }
  if (Object.keys(idLists).length > 0)
    enterIdLists(resource, tx, id, undefined, lookupDeletedRow(resource, tx.unrestricted, id)!)
  tx.run('DELETE FROM main.trash WHERE workspace_id = :workspace AND id = ?', id)
  eraseLinks(resource, tx, id, mentions)
  eraseLogged(tx, id)
  tx.log({ type: `${name}.erased`, recordId: id })
}

/** Overwrites some values of a record and its values in the log; the search index follows. In the log, one in the trash stays deleted. */
export function scrubRow(resource: Resource, tx: Writer, id: string, values: Row): void {
  const { name, stored } = resource
  const fields = Object.keys(values).map((field) => stored[field]!)
  setColumns(resource, tx, id, fields, values)
  enterIdLists(resource, tx, id, {}, values)
  noteScrubbed(tx, name, id)
  eraseLogged(tx, id)
  const deleted = lookupDeletedRow(resource, tx, id)
  const sql = 'UPDATE main.trash SET title = ? WHERE workspace_id = :workspace AND id = ?'
  if (deleted) tx.run(sql, titleOf(resource, deleted), id)
  else tx.log({ type: `${name}.updated`, recordId: id, previous: '{}' })
}

function eraseLogged(tx: Writer, id: string): void {
  const sql = `UPDATE change INDEXED BY change_record_id SET previous = NULL, data = NULL
    WHERE workspace_id = :workspace AND record_id = ?`
  tx.run(sql, packUuid(id))
  noteErasure(tx.access)
}

/** Removes the row of a record whose history the log stores. */
export function purgeRow(resource: Resource, tx: Writer, id: string): void {
  removeValues(resource, tx, id)
  const before = resource.afterWrite && lookupRow(resource, tx, id)
  const data = dataText(resource, tx.unrestricted, id)
  tx.run(`DELETE FROM main.${resource.table} WHERE workspace_id = :workspace AND id = ?`, id)
  tx.log({ type: `${resource.name}.deleted`, recordId: id, data })
  resource.afterWrite?.({ tx, id, before, after: undefined })
}

/** Sets fields without an entry in the log: those that it leaves out (`unlogged`), or those of a deleted record, which returns with them. */
export function noteRow({ table }: Resource, tx: Writer, id: string, values: Row): void {
  const set = Object.keys(values).map((name) => `${sqlName(name)} = ?`)
  const sql = `UPDATE main.${table} SET ${set.join(', ')} WHERE workspace_id = :workspace AND id = ?`
  tx.run(sql, ...Object.values(values), id)
}

function setColumns(
  { table, storage, operations }: Resource,
  tx: Writer,
  id: string,
  fields: readonly Field[],
  row: Row,
): void {
  const isPermanent = operations.includes('create') && !operations.includes('patch') // a merge moves it, but does not change it
  const columns = columnNames(fields)
  const values = columnValues(fields, row)
  if (!isPermanent) {
    columns.push('updated_at')
    values.push(tx.now)
  }
  if (storage) {
    storage.update(tx, id, Object.fromEntries(columns.map((column, at) => [column, values[at]!])))
    return
  }
  const set = columns.map((column) => `${column} = ?`).join(', ')
  tx.run(`UPDATE main.${table} SET ${set} WHERE workspace_id = :workspace AND id = ?`, ...values, id)
}

function logUpdate(resource: Resource, tx: Writer, recordId: string, event: string, previous: string): void {
  const isKept = resource.keepsData || isMilestone(tx) || isAboutVisibility(resource, previous)
  const data = isKept ? dataText(resource, tx.unrestricted, recordId) : undefined
  tx.log({ type: `${resource.name}.${event}`, recordId, previous, data })
}

function insertItem({ table, owner, fields }: Collection, tx: Writer, ownerId: string, id: string, item: Row): void {
  const columns = Object.values(fields)
  tx.run(insertSql(table, `${owner}, id`, columns), ownerId, id, ...columnValues(columns, item))
}

function insertSql(table: string, ids: string, fields: readonly Field[]): string {
  return remembered(table, () => {
    const names = columnNames(fields)
    const marks = names.map(() => ', ?').join('')
    const idMarks = ids.replace(/\w+/g, '?')
    return `INSERT INTO main.${table} (workspace_id, ${ids}, ${names.join(', ')}) VALUES (:workspace, ${idMarks}${marks})`
  })
}
