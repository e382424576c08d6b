import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedResources } from '../../src/features/index.ts'
import { isMigration, type Source, sourcesIn } from './sources.ts'

/** The tables whose changes are logged (decision G1). */
const tables = new Set(
  loggedResources.flatMap(({ idTable, name, collections, links, idLists }) => [
    idTable ?? name,
    ...[...Object.values(collections), ...Object.values(links), ...Object.values(idLists)].map(({ table }) => table),
  ]),
)

/** Logs what it writes. */
const rows = 'src/engine/records/rows/rows.ts'

/** Statements that change what is no part of a record's history (decision G1). */
const unlogged: Record<string, string> = {
  'src/engine/records/id-lists.ts DELETE FROM ${table}': 'follows a field, whose change is logged',
  'src/engine/records/id-lists.ts INSERT INTO ${table} (workspace_id, ${owner}, ${to}, position) SELECT :workspace, ?, value, key FROM json_each(?)':
    'the same',
  'src/engine/records/rows/erase-links.ts UPDATE ${table} INDEXED BY ${table}_${to} SET ${text} = NULL':
    'an erasure, which is logged',
  'src/sandbox/own.ts UPDATE api_key SET hash = ?, prefix = ?': 'the key of a world, which is set when it is opened',
  'src/access/usage.ts UPDATE api_key SET last_used_at = ?, last_used_ip = ?, request_count = request_count + ?':
    'usage',
  'src/access/user.ts UPDATE user SET password_hash = ?': 'the hash of the same password, when a user signs in',
  'src/access/user.ts UPDATE user SET password_hash = ?, updated_at = ?': 'a password',
}

interface Statement {
  /** The path of its file, and its text up to its condition. */
  name: string
  table: string
  path: string
  /** Whether the function that contains it logs what it writes. */
  isLogged: boolean
}

const writing =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+"?(\$\{[^}]*\}|\w+)/g

/** Every text in a file that is a statement which writes. A function begins at the start of a line. */
function statementsIn({ path, text }: Source): Statement[] {
  return text.split(/^(?=\S.*\{$)/m).flatMap((code) =>
    [...code.matchAll(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g)].flatMap(([literal]) =>
      [...literal.matchAll(writing)].map(([found, table = '']) => ({
        name: `${path} ${literal.slice(literal.indexOf(found), -1).split(' WHERE')[0]}`,
        ...{ path, table, isLogged: /\blogged(?:User)?\(/.test(code) },
      })),
    ),
  )
}

/** Statements that write a logged table, or one that only the program knows, and do not log it. */
function unloggedIn(sources: readonly Source[]): string[] {
  return sources
    .flatMap(statementsIn)
    .filter(({ path, table }) => path !== rows && (table.startsWith('$') || tables.has(table)))
    .filter(({ path, isLogged }) => !(path.startsWith('src/access/') && isLogged))
    .map(({ name }) => name)
}

test('Every statement that writes a record, a user or a key logs the change', () => {
  const sources = sourcesIn('src').filter((source) => source.path.endsWith('.ts') && !isMigration(source))

  assert.deepEqual(unloggedIn(sources).sort(), Object.keys(unlogged).sort())
})

test('The search for statements that write finds those that log nothing', () => {
  const source = (path: string, sql: string, log = '') => ({
    path,
    text: `function write(tx) {\n  ${log}tx.run(${sql})\n}\n`,
  })

  const table = ['$', '{table}'].join('')
  const found = unloggedIn([
    source('src/crm/a.ts', `'UPDATE deal SET title = ? WHERE id = ?'`),
    source('src/crm/b.ts', `\`DELETE FROM ${table} WHERE id = ?\``),
    source('src/crm/c.ts', `'INSERT OR IGNORE INTO contact_email (id) VALUES (?)'`, 'logged('),
    source('src/access/d.ts', `'UPDATE user SET role = ? WHERE id = ?'`, 'logged('),
    source('src/access/e.ts', `'UPDATE company SET name = ?'`),
    source(rows, `\`DELETE FROM ${table} WHERE id = ?\``),
  ])

  assert.deepEqual(found, [
    'src/crm/a.ts UPDATE deal SET title = ?',
    `src/crm/b.ts DELETE FROM ${table}`,
    'src/crm/c.ts INSERT OR IGNORE INTO contact_email (id) VALUES (?)',
  ])
})
