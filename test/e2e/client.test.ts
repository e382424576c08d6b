import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { type Run, run } from '../support/program.ts'
import { start } from '../support/start.ts'

const root = new URL('../../', import.meta.url).pathname
const generator = join(root, 'test/client/node_modules/openapi-typescript/bin/cli.js')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const strict = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--types',
  'node',
  '--module',
  'nodenext',
  '--target',
  'es2024',
  '--allowImportingTsExtensions',
]

interface Project {
  client: Client
  write(name: string, text: string): void
  node(...args: string[]): Promise<Run>
  check(program: string): Promise<Run>
}

/** A user's project with the types that the command in docs/api.md generates from a running server. */
async function project(t: TestContext): Promise<Project> {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  // In `dist`, packages are resolved from the project's node_modules, and other tests ignore the files.
  mkdirSync(join(root, 'dist'), { recursive: true })
  const directory = mkdtempSync(join(root, 'dist/client-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const env = { KONTOR_URL: url, KONTOR_KEY: client.key }
  const node = (...args: string[]) => run([process.execPath], args, { cwd: directory, env })
  const { code, stderr } = await node(generator, `${url}/openapi.json`, '-o', 'kontor.d.ts')
  assert.equal(code, 0, stderr)
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  return { client, write, node, check: (program) => node(compiler, ...strict, program) }
}

const page = readFileSync(join(root, 'docs/api.md'), 'utf8')

test('The typed client in docs/api.md is five lines that type-check and run', async (t) => {
  const sample = /```ts\n(import createClient.*?)```/s.exec(page)![1]!
  const { client, write, node, check } = await project(t)
  await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber', emails: [{ email: 'ada@mueller.example' }] })
  await make(client, 'contact', { first_name: 'Otto', last_name: 'Maier' })
  write('sample.ts', sample)

  const [checked, ran] = await Promise.all([check('sample.ts'), node('sample.ts')])

  assert.equal(sample.trimEnd().split('\n').length, 5)
  assert.equal(checked.code, 0, checked.stdout)
  assert.equal(ran.stdout, "[ [ 'Ada', 'ada@mueller.example' ] ]\n", ran.stderr)
})

const program = `import createClient from 'openapi-fetch'
import type { paths } from './kontor.d.ts'
const kontor = createClient<paths>({ baseUrl: process.env.KONTOR_URL!, headers: { Authorization: \`Bearer \${process.env.KONTOR_KEY}\` } })
`

test('The typed client compiles valid requests and rejects invalid ones', async (t) => {
  const { write, node, check } = await project(t)
  write(
    'right.ts',
    `${program}
const made = await kontor.POST('/api-v1-organizations', { body: { name: 'Nordwind', status: 'active' } })
const params = { path: { id: made.data!.data.id }, header: { 'If-Match': made.response.headers.get('ETag')! } }
const { data } = await kontor.PATCH('/api-v1-organizations/{id}', { params, body: { city: 'Kiel', domain: null } })
const { error } = await kontor.PATCH('/api-v1-organizations/{id}', { params, body: { city: 'Bonn' } })
const city: string | null = data!.data.city
console.log(city, error!.error.code)
`,
  )
  const wrong = [
    `await kontor.POST('/api-v1-organizations', { body: { status: 'active' } })`,
    `await kontor.POST('/api-v1-organizations', { body: { name: 'Nordwind', status: 'won' } })`,
    `await kontor.GET('/api-v1-organizations', { params: { query: { 'name[lik]': 'x' } } })`,
    `await kontor.GET('/api-v1-organizations', { params: { query: { town: 'Kiel' } } })`,
    `await kontor.GET('/api-v1-organization')`,
  ]
  write('wrong.ts', `${program}${wrong.join('\n')}\n`)

  const [right, ran, rejected] = await Promise.all([check('right.ts'), node('right.ts'), check('wrong.ts')])

  assert.equal(right.code, 0, right.stdout)
  assert.equal(ran.stdout, 'Kiel CONFLICT\n', ran.stderr)
  const lines = new Set([...rejected.stdout.matchAll(/^wrong\.ts\((\d+)/gm)].map(([, line]) => Number(line)))
  assert.deepEqual([...lines], [4, 5, 6, 7, 8], rejected.stdout)
})
