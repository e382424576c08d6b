import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from './directory.ts'
import { definition, table } from './product.ts'

const root = new URL('../..', import.meta.url).pathname
const notCopied = ['node_modules', 'dist', '.git']

/** A copy of the project with one more resource, added as a contributor adds it. Returns its path. */
export function copyWithProduct(t: TestContext): string {
  const copy = temporaryDirectory(t)
  const names = readdirSync(root).filter((name) => !notCopied.includes(name))
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'src/crm/product.ts'), definition)
  edit(copy, 'src/crm/index.ts', (text) =>
    text
      .replace('user, apiKey]', 'user, apiKey, product]')
      .replace('import', "import { product } from './product.ts'\nimport"),
  )
  edit(copy, 'schema.sql', (text) => text + table)
  edit(copy, 'src/store/migrations.ts', addStep)
  return copy
}

function addStep(text: string): string {
  const version = Math.max(...[...text.matchAll(/version: (\d+)/g)].map(([, number]) => Number(number))) + 1
  return text.replace(/\]\s*$/, `  { version: ${version}, sql: \`${table}\` },\n]\n`)
}

function edit(copy: string, path: string, change: (text: string) => string): void {
  const file = join(copy, path)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
