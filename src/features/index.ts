import { grants, scopes } from '../access/scopes.ts'
import { withAsOf } from '../changes/as-of.ts'
import { feedRoute } from '../changes/feed-routes.ts'
import { historyRoute } from '../changes/history.ts'
import type { Logged } from '../changes/logged.ts'
import { type BatchReader, positionsOf, rebuildIfBehind } from '../changes/readers/batch-reader.ts'
import type { Positions } from '../changes/readers/log-reader.ts'
import { snapshotRoute } from '../changes/snapshot-route.ts'
import { trashRoutes } from '../changes/trash.ts'
import { undoRoute } from '../changes/undo/route.ts'
import { file } from '../crm/file.ts'
import { ignoredSender } from '../crm/ignored-sender.ts'
import { crmResources, crmRoutes } from '../crm/index.ts'
import { message } from '../crm/message.ts'
import { requireWrite, restrict } from '../crm/restrictions.ts'
import { assertDefinitions } from '../engine/api/assert-definitions.ts'
import type { Caller, Route } from '../engine/api/call/route.ts'
import { duplicatesRoute } from '../engine/api/lists/duplicates.ts'
import { withNextPage } from '../engine/api/lists/next-page.ts'
import { summaryRoute } from '../engine/api/lists/summary.ts'
import { mergeRoute } from '../engine/api/merge/route.ts'
import { withSurvivor } from '../engine/api/merge/survivor.ts'
import { routesOf } from '../engine/api/routes.ts'
import { isMatchable } from '../engine/api/upsert/matching.ts'
import { upsertRoute } from '../engine/api/upsert/route.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { declarable, field } from './declared-fields/field.ts'
import { returningWith, withUnique, withUniqueRestored } from './declared-fields/unique-field.ts'
import { withFields } from './declared-fields/with-fields.ts'
import { contentRoute } from './files/content.ts'
import { eraseFiles, removeErasedBy } from './files/erase.ts'
import { uploadRoute } from './files/upload.ts'
import { receiptSchema } from './imports/describe.ts'
import { bulkJob } from './imports/job.ts'
import { bulkRoutes, queueUndo } from './imports/routes.ts'
import { lastActivity } from './last-activity/last-activity.ts'
import { addresses, addressRoutes } from './mail/address-routes.ts'
import { eraseAttached, removeOriginalOfFile } from './mail/erase-message.ts'
import { eraseFromMessages, findFromMessages } from './mail/erase-person.ts'
import { ignoredSenderRoutes } from './mail/ignored-sender-routes.ts'
import { mailSource } from './mail/imap/mail-source.ts'
import { sourceRoutes, sources } from './mail/imap/source-routes.ts'
import { mailAddress } from './mail/mail-address.ts'
import { mailLogRoute } from './mail/mail-log-route.ts'
import { matchLater } from './mail/match-later.ts'
import type { OwnedRows } from './mail/owned-rows.ts'
import { receiveRoute } from './mail/receive-route.ts'
import { shownMessageRoutes } from './mail/shown-message.ts'
import { joinThreads } from './mail/threads.ts'
import { proposalRoutes } from './proposals/routes.ts'
import { forgetProposed } from './proposals/store.ts'
import { restrictViews, withBroken } from './views/restrict.ts'
import { view } from './views/view.ts'
import { withView } from './views/viewed-list.ts'
import { webhookReader } from './webhooks/log-reader.ts'
import { requireSending, webhookRoutes } from './webhooks/routes.ts'
import { forgetSent, webhook } from './webhooks/webhook.ts'

/** Every resource. The server serves, documents and tests what is listed here. */
export const resources: readonly Resource[] = [...crmResources, webhook, view, field]

/** The resources whose records PUT creates and updates. */
export const matchable: readonly Resource[] = declarable.filter(isMatchable)

/** The resources whose records can be merged. */
export const mergeable: readonly Resource[] = resources.filter(({ duplicates }) => duplicates.length > 0)

/** Every resource whose changes the log records. */
export const loggedResources: readonly Resource[] = [...resources, mailAddress, mailSource, ignoredSender, bulkJob]

/** Everything that keeps derived values up to date by the log of changes. */
export const batchReaders: readonly BatchReader[] = [lastActivity, matchLater, joinThreads]

/** Everything that follows the log of changes. */
export const logReaders: readonly Positions[] = [webhookReader, ...batchReaders.map(positionsOf)]

/** What belongs to users, by resource. */
const owned: Readonly<Record<string, OwnedRows>> = { [mailAddress.name]: addresses, [mailSource.name]: sources }

/** What undoes and restores the changes that the log records. */
export const logged: Logged = {
  resources: loggedResources,
  requireWrite,
  requireRestore(caller, resource) {
    requireWrite(caller, resource)
    if (resource === webhook) requireSending(caller) // it goes on sending
  },
  returningWith: (resource, reader, id) => (resource === field ? returningWith(reader, id) : {}),
  shownOf: (resource, reader, text) => (resource === view ? withBroken(text, reader) : text),
  requireOwn: (caller, reader, { name }, ids) => owned[name]?.requireOwn(reader, caller, ids),
  findStored,
  forgetSent,
  removeErased: removeErasedBy,
  queueUndo,
  receiptSchema,
}

/** Every endpoint: those of the resources, and those that belong to none. */
export const routes: readonly Route[] = [
  ...resources.flatMap(allRoutesOf),
  ...crmRoutes,
  ...bulkRoutes,
  ...addressRoutes,
  ...sourceRoutes,
  ...ignoredSenderRoutes,
  receiveRoute,
  mailLogRoute,
  ...proposalRoutes(loggedResources),
  feedRoute(loggedResources),
  snapshotRoute(loggedResources),
  ...trashRoutes(logged).map(withUniqueRestored),
  undoRoute(logged),
].map((route) => restrictViews(restrict(route)))

/** The endpoints of a resource; those of an `ofCompany` one serve the company's live workspace. */
function allRoutesOf(resource: Resource): readonly Route[] {
  const all = [
    ...(isSummarized(resource) ? [withView(resource, withNextPage(summaryRoute(resource)))] : []), // these come before the records, whose ids match the same path
    ...(mergeable.includes(resource) ? [withNextPage(duplicatesRoute(resource))] : []),
    ...ownRoutesOf(resource).map((route) => withView(resource, withAsOf(resource, route))),
    ...(matchable.includes(resource) ? [upsertOf(resource)] : []),
    ...(mergeable.includes(resource) ? [mergeOf(resource)] : []),
    withNextPage(historyRoute(resource)),
  ]
  return resource.ofCompany ? all.map((route) => ({ ...route, ofCompany: true })) : all
}

function upsertOf(resource: Resource): Route {
  return withFields(resource, upsertRoute(resource, mayRead(resource)))
}

function mergeOf(resource: Resource): Route {
  return withFields(resource, mergeRoute(resource, { resources, requireWrite }))
}

function mayRead({ scopes: { read } }: Resource): (caller: Caller) => boolean {
  return ({ scopes }) => grants(scopes, read)
}

/** Users, keys, webhooks and fields are few, and not every caller may see all views. */
function isSummarized({ counted, ownedBy, ofCompany, name }: Resource): boolean {
  return counted && ownedBy === undefined && !ofCompany && name !== webhook.name
}

function ownRoutesOf(resource: Resource): readonly Route[] {
  if (resource === webhook) return webhookRoutes
  const own = routesOf(resource, mayRead(resource)).map((route) =>
    mergeable.includes(resource) ? withSurvivor(resource, route) : route,
  )
  if (resource === file) return [...own, uploadRoute, contentRoute]
  if (resource === message) return [...own, ...shownMessageRoutes]
  if (resource === field) return own.map(withUnique)
  return declarable.includes(resource) ? own.map((route) => withFields(resource, route)) : own
}

/** Returns what erases all that is stored with a record: nothing of it is sent or proposed any more (decision G11). */
function findStored(reader: Reader, recordId: string): (tx: Writer) => void {
  const found = findFromMessages(reader, recordId)
  return (tx) => {
    forgetOne(tx, recordId)
    removeOriginalOfFile(tx, recordId)
    const attached = [...eraseFiles(tx, recordId), ...eraseAttached(tx, recordId)]
    const { erased, scrubbed } = eraseFromMessages(tx, recordId, found)
    for (const id of [...attached, ...erased]) forgetOne(tx, id)
    for (const id of scrubbed) forgetSent(tx, id)
  }
}

function forgetOne(tx: Writer, recordId: string): void {
  forgetProposed(tx, recordId)
  forgetSent(tx, recordId)
  rebuildIfBehind(batchReaders, tx)
}

/** Checks the definitions of all resources against the scopes and the open database. Throws an error that names every problem. */
export function assertResources(schema: Reader): void {
  assertDefinitions(loggedResources, { scopes: [...scopes, 'read:any', 'any'], schema })
}
