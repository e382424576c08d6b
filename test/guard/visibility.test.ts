import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/features/index.ts'
import { isMigration, type Source, sourcesIn } from './sources.ts'

/** Has the condition, and may name the tables. */
const condition = 'src/store/visibility.ts'

/** Files that read or write rows which their author may not see, and why (decision P7). */
const unseeing: Record<string, string> = {
  'src/changes/may-see.ts': 'asks whether a file is of a message, and what has hidden or revealed it',
  'src/changes/undo/links.ts':
    'takes messages from contacts that an undo takes away, also for those who do not see them',
  'src/changes/undo/undo.ts': 'undoes what follows a change also for those who do not see it, in no report',
  'src/console/mail.ts': 'looks at the newest messages, and counts those that are seen; whether the team has one',
  'src/crm/insert-message.ts': 'a delivery stores what its caller may not see',
  'src/crm/message-rules.ts': 'the files of a message follow it',
  'src/engine/api/merge/merge.ts': 'messages follow a merge, in no count',
  'src/engine/api/routes.ts': 'a patch may hide a record from its author, who gets it once',
  'src/engine/records/rows/rows.ts': 'the log stores what a write has made',
  'src/features/files/content-names.ts': 'content is kept as long as any record refers to it',
  'src/features/files/erase.ts': 'reads which content an erased file had',
  'src/features/mail/erase-message.ts': 'erases a message with all that belongs to it',
  'src/features/mail/erase-person.ts': 'a person is erased from all messages',
  'src/features/mail/record-in.ts': 'the same message is one record, whoever sees it',
  'src/features/mail/threads.ts': 'an erased thread is forgotten, whoever sees it',
}

/** Files that read a workspace as nobody in particular, which shows them everything, and why nobody is shown more than may be seen. */
const asServer: Record<string, string> = {
  'src/changes/hub.ts': 'the number of the newest change',
  'src/changes/readers/follow-log.ts': 'readers of the log keep derived values up to date',
  'src/changes/readers/keep-up.ts': 'the same',
  'src/changes/readers/log-reader.ts': 'the same',
  'src/console/activity-keys.ts': 'authors of activities',
  'src/console/company.ts': 'the counts of organizations and the like',
  'src/console/declared-fields.ts': 'declared fields',
  'src/console/first-steps.ts': 'whether there are contacts, deals and stages',
  'src/console/stage-ages.ts': 'deals',
  'src/features/files/sweep.ts': 'content without a record',
  'src/features/imports/run-batch.ts':
    'imports make no messages; an undo was asked for by those who saw what it undoes',
  'src/features/mail/deliver.ts': 'no caller',
  'src/features/mail/imap/read-source.ts': 'the state of a mailbox',
  'src/features/mail/imap/source-reports.ts': 'the same',
  'src/features/webhooks/remove-deliveries.ts': 'deliveries of erased webhooks',
  'src/http/response-cache.ts': 'whether there are restricted rows at all',
  'src/sandbox/advance.ts': 'whether there is work',
  'src/sandbox/instance.ts': 'the same, and examples for the document',
  'src/sandbox/routes/reset.ts': 'the number of the newest change',
  'src/threads/search-entry.ts':
    'fills the index of the search, which compares what it finds with what the reader sees',
  'src/threads/sweep.ts': 'whether there is work',
}

const tables = /\bmain\.(?:message|file|trash|\$\{)|\bmain\."/
const unrestricted = /\bunrestricted\b/
/** A reader of a workspace without a view. */
const serverReader = /(?:\.workspace\(|new WorkspaceReader\()(?!(?:[^()]|\([^()]*\))*\bview\b)(?=[^)\s])/

/** Where the writer and its reader are declared, and where connections are made. */
const declared = [condition, 'src/store/reader.ts', 'src/store/workspace-writer.ts', 'src/store/store.ts']

/** The operator sees everything. */
const ofOperator = /^src\/commands\/|^src\/store\/copy-company\.ts$/

function code({ text }: Source): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}

function findingsIn(sources: readonly Source[], pattern: RegExp): string[] {
  return sources
    .filter(({ path }) => !declared.includes(path) && !ofOperator.test(path))
    .filter((source) => pattern.test(code(source)))
    .map(({ path }) => path)
    .sort()
}

function unseeingIn(sources: readonly Source[]): string[] {
  return [...new Set([tables, unrestricted].flatMap((pattern) => findingsIn(sources, pattern)))].sort()
}

function serverReadersIn(sources: readonly Source[]): string[] {
  const opening = (text: string) => text.replace(/new WorkspaceReader\([^,]*, undefined\)/g, '')
  return findingsIn(
    sources.map(({ path, text }) => ({ path, text: opening(text) })),
    serverReader,
  )
}

const all = () => sourcesIn('src').filter((source) => /\.tsx?$/.test(source.path) && !isMigration(source))

test('Only the files that are known to do so read or write messages and files which their author may not see', () => {
  assert.deepEqual(unseeingIn(all()), Object.keys(unseeing))
})

test('Only the files that are known to do so read a workspace for nobody in particular', () => {
  assert.deepEqual(serverReadersIn(all()), Object.keys(asServer))
})

test('The search for statements that see everything finds new ones, and no others', () => {
  const table = ['$', '{table}'].join('')
  const source = (path: string, text: string) => ({ path, text: `export function f(tx) {\n  ${text}\n}\n` })
  const wrong = [
    source('src/crm/a.ts', "return tx.value('SELECT 1 FROM main.message WHERE workspace_id = :workspace')"),
    source('src/crm/b.ts', `return tx.value(\`SELECT 1 FROM deal JOIN main.${table} AS row\`)`),
    source('src/crm/c.ts', "return tx.unrestricted.rows('SELECT * FROM file WHERE workspace_id = :workspace')"),
    source('src/crm/d.ts', 'const { unrestricted: all } = tx'),
  ]
  const readers = [
    source('src/console/e.ts', 'return store.workspace(workspaceId).rows(sql)'),
    source('src/console/f.ts', 'return store.workspace(findWorkspaceId(access, id)).rows(sql)'),
    source('src/console/g.ts', 'return new WorkspaceReader(statements, id)'),
  ]
  const right = [
    source('src/crm/h.ts', "return tx.value('SELECT 1 FROM message WHERE workspace_id = :workspace')"),
    source('src/crm/i.ts', '// main.message is the table itself'),
    source('src/console/j.ts', 'return store.workspace(findWorkspaceId(access, id), { view: viewer })'),
  ]

  assert.deepEqual(
    unseeingIn([...wrong, ...readers, ...right]),
    wrong.map(({ path }) => path),
  )
  assert.deepEqual(
    serverReadersIn([...wrong, ...readers, ...right]),
    readers.map(({ path }) => path),
  )
})

test('No response is cached of a route that shows callers different parts', () => {
  const isPartial = ({ narrow, openToMembers }: (typeof routes)[number]) =>
    narrow !== undefined || openToMembers === true

  const partial = routes.filter(isPartial)

  assert.ok(partial.length > 5)
  assert.deepEqual(
    partial.filter(({ cacheable }) => cacheable).map(({ method, path }) => `${method} ${path}`),
    [],
  )
})
