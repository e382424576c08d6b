import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { migrations } from '../../src/store/migrations.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { definition } from './article.ts'

const root = new URL('../..', import.meta.url).pathname
/** Type-checked with a generated client. */
const generatedClient = join(root, 'test/client')
const notCopied = ['node_modules', 'dist', '.git', '.ci']

/** Copies the project and adds a resource as a contributor would. Returns the path of the copy. */
export function copyWithArticle(t: Pick<TestContext, 'after'>): string {
  const copy = temporaryDirectory(t)
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notCopied.includes(basename(path)) && path !== generatedClient,
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'src/crm/article.ts'), definition)
  edit(copy, 'src/crm/index.ts', (text) =>
    text.replace(/,?\s*\]\n/, ', article]\n').replace('import', "import { article } from './article.ts'\nimport"),
  )
  const table = execFileSync(process.execPath, ['test/guard/ddl.ts', 'article'], { cwd: copy, encoding: 'utf8' })
  const version = migrations.at(-1)!.version + 1
  edit(copy, 'schema.sql', (text) => `${text}\n${table}`)
  edit(copy, 'src/store/migrations.ts', (text) =>
    text.replace(/\]\s*$/, () => `  { version: ${version}, sql: \`${table}\` },\n]\n`),
  )
  return copy
}

function edit(copy: string, path: string, change: (text: string) => string): void {
  const file = join(copy, path)
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  assert.notEqual(after, before, path)
  writeFileSync(file, after)
}
