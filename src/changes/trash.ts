import { eraseSomeStored, eraseStored } from '../access/idempotency.ts'
import { grants } from '../access/scopes.ts'
import { type ApiResponse, deleted, shown } from '../engine/api/call/http-response.ts'
import type { Call, Route } from '../engine/api/call/route.ts'
import { list } from '../engine/api/lists/list.ts'
import { conditionAmong } from '../engine/finding/list/approach.ts'
import { refuseParameters } from '../engine/finding/query/parameters.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { naming } from '../engine/records/holders.ts'
import { findMentions, type Mentions, mentioning } from '../engine/records/rows/erase-links.ts'
import { listDeletedParts } from '../engine/records/rows/list-parts.ts'
import { eraseRow } from '../engine/records/rows/rows.ts'
import { idOf, lookupText, notFound } from '../engine/records/select.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { describeErase, describeRestore, describeTrash } from './describe-trash.ts'
import type { Logged } from './logged.ts'
import { mayReadChange } from './may-read.ts'
import { asDeleted, restore } from './restore.ts'
import { trashOf } from './trash-resource.ts'

/** The endpoints of deleted records (decision G11). */
export function trashRoutes(logged: Logged): Route[] {
  const restorable = logged.resources.filter(({ operations }) => operations.includes('delete'))
  const trash = trashOf(restorable.map(({ name }) => name))
  const context = { ...logged, restorable, trash }
  const path = `/${trash.path}`
  return [
    {
      method: 'GET',
      path,
      scope: 'read:any',
      takesBody: false,
      run: (call) => listDeleted(context, call),
      describe: (doc) => describeTrash(doc, trash),
    },
    {
      method: 'POST',
      path: `${path}/:id/restore`,
      scope: 'any',
      takesBody: false,
      run: (call) => restoreDeleted(context, call),
      describe: (doc) => describeRestore(doc, trash, restorable),
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      scope: 'admin:all',
      takesBody: false,
      adminsOnly: true,
      isLong: () => true, // everything that may contain values of the record is searched
      run: (call) => erase(context, call),
      describe: (doc) => describeErase(doc, trash),
    },
  ]
}

interface Context extends Logged {
  restorable: readonly Resource[]
  trash: Resource
}

function listDeleted({ restorable, trash }: Context, call: Call): ReturnType<Route['run']> {
  const readable = restorable.filter((each) => mayReadChange(each, {}, call.caller.scopes))
  const among = conditionAmong(
    trash,
    'type',
    readable.map(({ name }) => name),
  )
  return list(trash, call, [among])
}

function restoreDeleted(context: Context, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx, caller) => {
    const { resource, id } = findDeleted(context, tx, call.params.id!)
    context.requireRestore(caller, resource)
    naming(
      (scope) => grants(caller.scopes, scope),
      () => restore(resource, tx, id, caller.limits, { ...asDeleted, values: context.returningWith(resource, tx, id) }),
    )
    return shown(200, context.shownOf(resource, tx, lookupText(resource, tx, id)!), resource)
  })
}

/** Overwrites everything that the database stores of a record (decision G11). */
async function erase(context: Context, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const found = findDeleted(context, call.reader, call.params.id!)
  await eraseMostStored(call)
  const before = search(context, call.reader, found.resource, found.id)
  const response = await call.write((tx) => {
    const { resource, id } = findDeleted(context, tx, found.id)
    eraseStored(tx)
    eraseWithParts(context, tx, resource, id, before)
    return deleted
  })
  await context.removeErased(call)
  return response
}

/** Leaves the transaction those responses that are stored meanwhile: many would hold up others. */
async function eraseMostStored({ prepare }: Call): Promise<void> {
  for (let erased = 1; erased > 0; ) {
    await prepare((tx) => {
      erased = eraseSomeStored(tx)
      return deleted
    })
  }
}

/** What was searched before the transaction: it takes long. */
interface Searched {
  mentions: Mentions
  forget: (tx: Writer) => void
}

function search({ findStored }: Context, reader: Reader, resource: Resource, id: string): Searched {
  return { mentions: findMentions(resource, reader, id), forget: findStored(reader, id) }
}

function eraseWithParts(context: Context, tx: Writer, resource: Resource, id: string, before: Searched): void {
  for (const { resource: kind, id: partId } of listDeletedParts(resource, tx, id)) {
    eraseWithParts(context, tx, kind, partId, search(context, tx, kind, partId))
  }
  before.forget(tx)
  for (const each of mentioning(resource, tx, id, before.mentions)) context.forgetSent(tx, each)
  resource.beforeErase?.(tx, id)
  eraseRow(resource, tx, id, before.mentions)
}

/** Throws NOT_FOUND. */
function findDeleted(
  { restorable, trash }: Context,
  reader: Reader,
  given: string,
): { resource: Resource; id: string } {
  const id = idOf(trash, given)
  const type = reader.value<string>('SELECT type FROM trash WHERE workspace_id = :workspace AND id = ?', id)
  const resource = restorable.find(({ name }) => name === type)
  if (!resource) throw notFound(trash)
  return { resource, id }
}
