import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import { unknownId } from '../support/contract.ts'
import { run } from '../support/program.ts'
import { start } from '../support/start.ts'

const root = new URL('../../', import.meta.url).pathname
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const strict = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'],
  ...['--types', 'node', '--target', 'es2024', '--module', 'preserve', '--moduleResolution', 'bundler'],
]

/** A public generator, from the oldest on: how it is run, and a program that uses what it generates. */
interface Generator {
  name: string
  args: readonly string[]
  program: string
}

const begin = `const { KONTOR: baseUrl = '', KEY: key = '' } = process.env
const headers = { Authorization: \`Bearer \${key}\` }
const id = '${unknownId}'
`

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    args: ['kontor.json', '-o', 'openapi-typescript/index.d.ts'],
    program: `import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript'
${begin}
const kontor = createClient<paths>({ baseUrl, headers })
const made = await kontor.POST('/api-v1-organizations', { body: { name: 'Nordwind', status: 'active' } })
const params = { path: { id: made.data!.data.id } }
const listed = await kontor.GET('/api-v1-organizations', { params: { query: { 'name[like]': 'nord', limit: 5 } } })
const found = await kontor.GET('/api-v1-organizations/{id}', { params })
const changed = await kontor.PATCH('/api-v1-organizations/{id}', { params, body: { city: 'Kiel' } })
const { error } = await kontor.GET('/api-v1-organizations/{id}', { params: { path: { id } } })
const changes = await kontor.GET('/api-v1-changes')
await kontor.POST('/api-v1-undo', { body: { seq: 1, dry_run: true } }) // without \`force\`, which has a default
const names: string[] = listed.data!.data.map(({ name }) => name)
const last: string | undefined = changes.data!.data.at(-1)?.type
console.log(names.join(), found.data!.data.status, changed.data!.data.city, error!.error.code, last)
`,
  },
  {
    name: 'swagger-typescript-api',
    args: ['generate', '-p', 'kontor.json', '-o', 'swagger-typescript-api', '-n', 'index.ts'],
    program: `import { Api, type ErrorResponse, OrganizationStatus } from './swagger-typescript-api'
${begin}
const { apiV1Organizations: kontor, apiV1Changes } = new Api({ baseUrl, baseApiParams: { headers } })
const made = await kontor.createOrganization({ name: 'Nordwind', status: OrganizationStatus.Active })
const listed = await kontor.listOrganizations({ 'name[like]': 'nord', limit: 5 })
const found = await kontor.getOrganization(made.data.data.id)
const changed = await kontor.updateOrganization(made.data.data.id, { city: 'Kiel' })
const { error } = await kontor.getOrganization(id).catch((failed: { error: ErrorResponse }) => failed)
const changes = await apiV1Changes.listChanges()
const names: string[] = listed.data.data.map(({ name }) => name)
const last: string | undefined = changes.data.data.at(-1)?.type
console.log(names.join(), found.data.data.status, changed.data.data.city, error!.error.code, last)
`,
  },
  {
    name: 'openapi-typescript-codegen',
    args: ['--input', 'kontor.json', '--output', 'openapi-typescript-codegen', '--useOptions'],
    program: `import { ApiError, ChangesService, OpenAPI, OrganizationStatus, OrganizationsService as kontor } from './openapi-typescript-codegen'
${begin}
Object.assign(OpenAPI, { BASE: baseUrl, HEADERS: headers })
const requestBody = { name: 'Nordwind', status: OrganizationStatus.ACTIVE }
const made = await kontor.createOrganization({ requestBody })
const listed = await kontor.listOrganizations({ nameLike: 'nord', limit: 5 })
const found = await kontor.getOrganization({ id: made.data.id })
const changed = await kontor.updateOrganization({ id: made.data.id, requestBody: { city: 'Kiel' } })
const error: unknown = await kontor.getOrganization({ id }).catch((failed: unknown) => failed)
const changes = await ChangesService.listChanges({})
const names: string[] = listed.data.map(({ name }) => name)
const code: string = error instanceof ApiError ? error.body.error.code : ''
const last: string | undefined = changes.data.at(-1)?.type
console.log(names.join(), found.data.status, changed.data.city, code, last)
`,
  },
  {
    name: 'oazapfts',
    args: ['kontor.json', 'oazapfts/index.ts'],
    program: `import * as kontor from './oazapfts'
${begin}
Object.assign(kontor.defaults, { baseUrl, headers })
const made = await kontor.createOrganization({ name: 'Nordwind', status: 'active' })
if (made.status !== 201) throw new Error(made.data.error.message)
const organization = made.data.data.id
const listed = await kontor.listOrganizations({ nameLike: 'nord', limit: 5 })
const found = await kontor.getOrganization(organization)
const changed = await kontor.updateOrganization(organization, { city: 'Kiel' })
const missing = await kontor.getOrganization(id)
if (listed.status !== 200 || found.status !== 200 || changed.status !== 200 || missing.status !== 404) throw new Error()
const changes = await kontor.listChanges()
if (changes.status !== 200) throw new Error(changes.data.error.message)
const names: string[] = listed.data.data.map(({ name }) => name)
const last: string | undefined = changes.data.data.at(-1)?.type
console.log(names.join(), found.data.data.status, changed.data.data.city, missing.data.error.code, last)
`,
  },
  {
    name: '@hey-api/openapi-ts',
    args: ['-i', 'kontor.json', '-o', '@hey-api/openapi-ts'],
    program: `import * as kontor from './@hey-api/openapi-ts'
import { client } from './@hey-api/openapi-ts/client.gen'
${begin}
client.setConfig({ baseUrl, headers })
const made = await kontor.createOrganization({ body: { name: 'Nordwind', status: 'active' } })
const path = { id: made.data!.data.id }
const listed = await kontor.listOrganizations({ query: { 'name[like]': 'nord', limit: 5 } })
const found = await kontor.getOrganization({ path })
const changed = await kontor.updateOrganization({ path, body: { city: 'Kiel' } })
const { error } = await kontor.getOrganization({ path: { id } })
const changes = await kontor.listChanges()
const names: string[] = listed.data!.data.map(({ name }) => name)
const last: string | undefined = changes.data!.data.at(-1)?.type
console.log(names.join(), found.data!.data.status, changed.data!.data.city, error!.error.code, last)
`,
  },
]

/** npm installs a generator beside the compiler that it needs, or at the root. */
function programOf({ name }: Generator): string {
  const places = ['test/client/node_modules', 'node_modules'].map((each) => join(root, each, name))
  const directory = places.find((each) => existsSync(each))!
  const { bin } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  return join(directory, typeof bin === 'string' ? bin : (Object.values(bin)[0] as string))
}

/** A user's project. In `dist`, packages are resolved from the node_modules, and other tests ignore the files. */
function projectOf(t: TestContext): string {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const directory = mkdtempSync(join(root, 'dist/clients-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const fileOf = ({ name }: Generator) => `use-${name.replace(/\W/g, '')}.ts`

test('The clients of five public generators compile without an error, and create, list, get, change, fail and read changes as documented', async (t) => {
  const server = await start(t)
  const cwd = projectOf(t)
  const document = await (await fetch(`${server.url}/openapi.json`)).text()
  writeFileSync(join(cwd, 'kontor.json'), document)

  const generate = async (generator: Generator) => {
    mkdirSync(join(cwd, generator.name), { recursive: true })
    writeFileSync(join(cwd, fileOf(generator)), generator.program)
    return run([process.execPath, programOf(generator)], [...generator.args], { cwd })
  }
  const generated = await Promise.all(generators.map(generate)) // all have ended before one fails the test
  for (const [at, { code, stdout, stderr }] of generated.entries())
    assert.equal(code, 0, `${generators[at]!.name} ${stdout} ${stderr}`)
  const unchecked = join(cwd, 'swagger-typescript-api/index.ts')
  writeFileSync(unchecked, readFileSync(unchecked, 'utf8').replace('// @ts-nocheck', ''))
  const files = generators.map(fileOf)
  const checked = await run([process.execPath, compiler], [...strict, ...files], { cwd })
  assert.equal(checked.code, 0, checked.stdout)
  const outdir = join(cwd, 'built')
  const entryPoints = files.map((file) => join(cwd, file))
  await build({ entryPoints, outdir, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })

  for (const generator of generators) {
    const { client } = await server.company('Acme')
    const env = { KONTOR: server.url, KEY: client.key }
    const built = join(outdir, fileOf(generator).replace('.ts', '.js'))
    const { stdout, stderr } = await run([process.execPath, built], [], { cwd, env })
    assert.equal(stdout.trim(), 'Nordwind active Kiel NOT_FOUND organization.updated', `${generator.name} ${stderr}`)
  }
})
