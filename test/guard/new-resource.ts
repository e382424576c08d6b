import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestContext } from 'node:test'
import { migrations } from '../../src/store/migrations/index.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { definition } from './article.ts'
import { rule, definition as subscriptionText } from './subscription.ts'

const root = new URL('../..', import.meta.url).pathname
/** Type-checked with a generated client. */
const generatedClient = join(root, 'test/client')
const notCopied = ['node_modules', 'dist', '.git', '.ci']

/** A resource to add. */
interface Addition {
  name: string
  /** `src/crm/line-item.ts` */
  path: string
  /** The name of the constant. */
  exported: string
  definition: string
  /** Its entry in test/support/field-rules.ts. */
  rule?: string
}

export const article: Addition = { name: 'article', path: 'src/crm/article.ts', exported: 'article', definition }

export const subscription: Addition = {
  name: 'subscription',
  path: 'src/crm/subscription.ts',
  exported: 'subscription',
  definition: subscriptionText,
  rule,
}

/** The resources that CONTRIBUTING.md adds. */
export function contributedResources(): Addition[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const blocks = text.matchAll(/in `(src\/crm\/[\w-]+\.ts)`:\n\n```ts\n(.*?)```/gs)
  return [...blocks].map(([, path, definition]) => {
    const [, exported, name] = /^export const (\w+) = resource\('(\w+)'/m.exec(definition!)!
    return { name: name!, path: path!, exported: exported!, definition: definition! }
  })
}

/** Copies the project and adds resources as a contributor would. Returns the path of the copy. */
export function copyWith(t: Pick<TestContext, 'after'>, ...additions: readonly Addition[]): string {
  const copy = temporaryDirectory(t)
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !notCopied.includes(basename(path)) && path !== generatedClient,
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const { path, definition } of additions) writeFileSync(join(copy, path), definition)
  edit(copy, 'src/crm/records.ts', (text) => {
    const imports = additions.map(({ path, exported }) => `import { ${exported} } from './${basename(path)}'\n`)
    const names = additions.map(({ exported }) => `, ${exported}`)
    return imports.join('') + text.replace(/,?\s*\]\n/, `${names.join('')}]\n`)
  })
  for (const { rule } of additions)
    if (rule) edit(copy, 'test/support/field-rules.ts', (text) => text.replace(/\n\]\n/, `\n  ${rule}]\n`))
  const ddl = (name: string) =>
    execFileSync(process.execPath, ['test/guard/ddl.ts', name], { cwd: copy, encoding: 'utf8' })
  const tables = additions.map(({ name }) => ddl(name)).join('\n')
  const version = migrations.at(-1)!.version + 1
  edit(copy, 'schema.sql', (text) => `${text.replace(/\d+/, String(version))}${tables}`)
  const step = `import type { Migration } from '../migrate.ts'\n\nexport const added: Migration = { version: ${version}, sql: \`${tables}\` }\n`
  writeFileSync(join(copy, `src/store/migrations/${version}-added.ts`), step)
  edit(copy, 'src/store/migrations/index.ts', (text) =>
    text
      .replace(/\]\s*$/, '  added,\n]\n')
      .replace(
        "import type { Migration } from '../migrate.ts'\n",
        (line) => `${line}import { added } from './${version}-added.ts'\n`,
      ),
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
