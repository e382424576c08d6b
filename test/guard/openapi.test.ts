import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { errorStatus } from '../../src/errors.ts'
import { resources, routes } from '../../src/features/index.ts'
import { errorTable } from '../../src/http/openapi/guide.ts'
import { summarizeDocument } from '../../src/http/openapi/summary.ts'
import { assertValid, document, sandboxDocument } from '../support/described.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read every part of the document
type Untyped = any

const operationsOf = ({ paths }: Untyped): Untyped[] =>
  Object.values<Untyped>(paths).flatMap((path) => Object.values(path))
/** A parameter, or the one that a reference leads to. */
const resolved = (parameter: Untyped): Untyped =>
  parameter.$ref ? document.components.parameters![parameter.$ref.split('/').at(-1)] : parameter
const documents = Object.entries({ server: document, sandbox: sandboxDocument })
const hasFeatures = routes.some(({ feature }) => feature !== undefined)

for (const [of, each] of documents) {
  const text = JSON.stringify(each)

  test(`The document of a ${of} is valid OpenAPI 3.1`, async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(text))

    assert.equal(valid, true, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  test(`Every operation of a ${of} has a unique name`, () => {
    const names = operationsOf(each).map(({ operationId }) => operationId)

    assert.equal(new Set(names).size, names.length)
  })

  test(`Names in the document of a ${of} differ in more than case and signs, as generated clients drop these`, () => {
    const plain = (name: string) => name.replace(/[^a-z\d]/gi, '').toLowerCase()
    const repeated = (names: string[]) => names.filter((name, at) => names.map(plain).indexOf(plain(name)) !== at)
    const parameters = operationsOf(each).map(({ parameters }) => parameters.map(resolved))

    assert.deepEqual(repeated(operationsOf(each).map(({ operationId }) => operationId)), [])
    assert.deepEqual(repeated(Object.keys(each.components.schemas!)), [])
    for (const one of parameters) assert.deepEqual(repeated(one.map(({ name }: Untyped) => name)), [])
  })

  test(`Every reference in the document of a ${of} has a target, and every component is used`, () => {
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g)].map(([, kind, name]) => `${kind} ${name}`),
    )
    const parts = Object.entries(each.components).flatMap(([kind, named]) =>
      kind === 'securitySchemes' ? [] : Object.keys(named).map((name) => `${kind} ${name}`),
    )

    const components = new Set(parts)
    const dangling = [...references].filter((one) => !components.has(one))
    const unused = parts.filter((one) => !references.has(one))
    assert.deepEqual({ dangling, unused }, { dangling: [], unused: [] })
  })

  test(`Every response of a ${of} has one type of content, by which generated clients know what it is`, () => {
    const several = operationsOf(each).flatMap(({ operationId, responses }) =>
      Object.values<Untyped>(responses).flatMap(({ content = {} }) =>
        Object.keys(content).length > 1 ? [`${operationId}: ${Object.keys(content)}`] : [],
      ),
    )

    assert.deepEqual(several, [])
  })

  test(`No member of a body of a ${of} has a default beside its type, because generated clients would require it`, () => {
    const schemaOf = (schema: Untyped): Untyped =>
      schema.$ref ? each.components.schemas![schema.$ref.split('/').at(-1)] : schema
    const membersOf = (schema: Untyped): [string, Untyped][] =>
      Object.entries(schemaOf(schemaOf(schema).items ?? schema).properties ?? {})
    const bodies = operationsOf(each).map(({ requestBody }) => requestBody?.content['application/json']?.schema)
    const members = bodies.filter(Boolean).flatMap(membersOf)

    const having = members.filter(([, schema]) => schemaOf(schema).default !== undefined).map(([name]) => name)
    assert.ok(members.length > 100)
    assert.deepEqual(having, [])
  })

  test(`Every example of a request to a ${of} and of its response is valid by its schema`, () => {
    const responses = operationsOf(each).flatMap(({ responses }) => Object.values<Untyped>(responses))
    const bodies = operationsOf(each).map(({ requestBody }) => requestBody)
    for (const content of [...bodies, ...responses].flatMap((one) => one?.content ?? [])) {
      const { schema, example } = content['application/json'] ?? {}
      if (example !== undefined) assertValid('example', schema, example)
    }
  })
}

test('The document describes every route, with its scope as a role of the key', () => {
  for (const { method, path, scope } of routes) {
    const operation: Untyped = document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]

    const roles = operation.security.flatMap(({ apiKey }: Untyped) => apiKey ?? [])
    if (scope === 'any') assert.ok(roles.length !== 1)
    else if (scope === 'read:any')
      assert.ok(roles.length > 1 && roles.every((role: string) => role.startsWith('read:')))
    else assert.deepEqual(roles, [scope])
  }
})

test('A body may be absent exactly where none of its members is required', () => {
  const needsSome = (schema: Untyped): boolean =>
    schema.type !== 'object' || ['required', 'oneOf', 'anyOf', 'minProperties'].some((name) => name in schema)
  const differing = documents.flatMap(([, { paths, components }]) =>
    Object.entries<Untyped>(paths).flatMap(([path, methods]) =>
      Object.entries<Untyped>(methods).flatMap(([method, { requestBody }]) => {
        if (!requestBody?.content['application/json'] || method === 'patch') return [] // a PATCH needs something to change
        const { $ref, ...inline } = requestBody.content['application/json'].schema
        const schema = $ref ? (components.schemas as Untyped)[$ref.split('/').at(-1)] : inline
        return requestBody.required === needsSome(schema) ? [] : [`${method} ${path}`]
      }),
    ),
  )

  assert.deepEqual(differing, [])
})

test('The description of every POST mentions Idempotency-Key', () => {
  for (const { post } of Object.values<Untyped>(document.paths)) {
    if (post) assert.match(post.description, /`Idempotency-Key`/)
  }
})

test('Every resource has schemas with its name', () => {
  for (const { name, operations } of resources) {
    const base = name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
    assert.ok(document.components.schemas![base] ?? document.components.schemas![`${base}Record`], base)
    if (operations.includes('create')) assert.ok(document.components.schemas![`${base}Create`])
    if (operations.includes('patch')) assert.ok(document.components.schemas![`${base}Patch`])
  }
})

/** spec: Filter operators */
test('Lists are named by the plural that is in their path, and one record has the right article', () => {
  const lists = Object.entries<Untyped>(document.paths).filter(
    ([path, { get }]) => /^\/api-v1-[a-z-]+s$/.test(path) && get?.summary.startsWith('List '),
  )
  const summaries = operationsOf(document).map(({ summary }) => summary)

  assert.ok(lists.length > 10)
  for (const [path, { get }] of lists) assert.equal(get.summary.split(' ').at(-1), path.split(/[-/]/).at(-1))
  assert.deepEqual(
    summaries.filter((summary) => / an (?![aeio]|API )| a (?:[aeio]|API )/.test(summary)),
    [],
  )
})

test('Every filter is documented once, in the form that the definition selects', () => {
  for (const { path, filters, operations, nestsFilters } of resources) {
    if (!operations.includes('list')) continue
    const { parameters }: Untyped = document.paths[`/${path}`]!.get
    const names: string[] = parameters.map(({ name }: Untyped) => name).filter(Boolean)
    const nested = nestsFilters

    for (const filter of filters) {
      const base = nested ? `filter[${filter}]` : filter
      for (const name of [base, `${base}[eq]`, `${base}[in]`])
        assert.equal(names.filter((each) => each === name).length, 1)
    }
    const spelled = names.filter((name) => name.startsWith('filter['))
    assert.equal(spelled.length > 0, nested, path)
    assert.equal(new Set(names).size, names.length, path)
  }
})

test('No schema has the name of a JavaScript global, which it would shadow in generated clients', () => {
  const hidden = Object.keys(document.components.schemas!).filter((name) => name in globalThis)

  assert.deepEqual(hidden, [])
})

test('Some operation returns each error code', () => {
  const text = JSON.stringify(document)
  const expected = Object.keys(errorStatus).filter((code) => code !== 'FEATURE_NOT_ENABLED' || hasFeatures)
  const codes = new Set([...text.matchAll(/"x-error-codes":\[([^\]]*)\]/g)].flatMap(([, list]) => list!.split(',')))

  assert.deepEqual([...codes].sort(), expected.map((code) => JSON.stringify(code)).sort())
})

test('The summary for language models names every endpoint and every object', () => {
  const summary = summarizeDocument(document)

  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods)) assert.ok(summary.includes(`\`${method.toUpperCase()} ${path}\``), path)
  }
  assert.match(summary, /^- OrganizationCreate: name\*: string, status: OrganizationStatus\?, /m)
  assert.match(summary, /^- ContactCreate: .*, emails: \[ContactEmailCreate\]\?, /m)
  assert.match(summary, /`GET \/api-v1-tasks`.*\n {2}- query: .*, filter\[title\], /)
  assert.doesNotMatch(summary, /undefined|\[object/)
})

const errorsPage = new URL('../../docs/api.md', import.meta.url)

// `UPDATE_DOCS=1 node --test test/guard/openapi.test.ts` rewrites the table.
test('docs/api.md lists the errors as the OpenAPI document does', () => {
  const page = readFileSync(errorsPage, 'utf8')
  const expected = page.replace(/^\| code \| status \|[\s\S]*?\n(?=\n)/m, () => `${errorTable()}\n`)
  if (process.env.UPDATE_DOCS) writeFileSync(errorsPage, expected)

  assert.ok(expected.includes(errorTable()))
  assert.equal(readFileSync(errorsPage, 'utf8'), expected)
})
