import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../src/engine/records/describe.ts'
import { routes } from '../../src/features/index.ts'
import { createDocument } from '../../src/http/openapi/document.ts'
import type { Operation } from '../../src/http/openapi/operation.ts'
import { isEmailAddress } from '../../src/lib/email.ts'
import { controlRoutes } from '../../src/sandbox/routes/index.ts'

export const document = createDocument(routes, '0.0.0')
/** Also of a sandbox, whose endpoints are described without a world. */
export const sandboxDocument = createDocument(
  [...routes, ...controlRoutes(undefined as never, undefined as never)],
  '0.0.0',
)

/** Headers of HTTP itself, which the API document does not describe. */
const transportHeaders = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive'],
  ...['transfer-encoding', 'vary', 'access-control-allow-origin', 'access-control-expose-headers'],
])

/** Paths of the console, which are not part of the API. */
const consolePaths = '/console/'

/** Paths without rate limits (decision F4). */
const unlimited = ['/healthz', '/readyz', '/readyz/leader']

const paths = Object.entries(sandboxDocument.paths).map(([path, operations]) => ({
  first: path.split('/')[1]!,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  operations,
}))
const pathsByFirst = Map.groupBy(paths, ({ first }) => first)

// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of the document
type Untyped = any

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, meta: false })
addFormats.default(ajv)
ajv.addFormat('email', isEmailAddress) // with internationalized domains (decision D12)
ajv.addSchema({ $id: 'responses', components: { schemas: closed(sandboxDocument.components.schemas) } })
ajv.addSchema({ $id: 'bodies', components: { schemas: sandboxDocument.components.schemas } })
const validators = new Map<string, ValidateFunction>()
const known = { responses: new WeakMap<object, ValidateFunction>(), bodies: new WeakMap<object, ValidateFunction>() }
const declaredNames = new WeakMap<Operation, Set<string>>()
const declaredHeaders = new WeakMap<object, ReadonlyMap<string, Untyped>>()

interface Exchanged {
  method: string
  url: string
  status: number
  headers: Headers
  /** Parsed; undefined if there is none. */
  body: unknown
}

/** Fails unless the OpenAPI document declares the response: its status, headers and every field, and the parameters of a successful request. */
export function assertDescribed({ method, url, status, headers, body }: Exchanged): void {
  const { pathname, searchParams } = new URL(url)
  if (pathname.startsWith(consolePaths)) return
  const operation = operationAt(method, pathname)
  const name = `${method} ${pathname} ${status}`
  const response = responseOf(operation, status)
  assert.ok(response, `${name}: no such status is described`)
  assertHeaders(name, response, headers, unlimited.includes(pathname))
  if (method !== 'HEAD' && status !== 304) assertBody(name, response, headers, body)
  if (operation && status < 300) assertParameters(name, operation, [...searchParams.keys()])
}

function operationAt(method: string, pathname: string): Operation | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const alike = pathsByFirst.get(pathname.split('/')[1]!) ?? []
  return alike.find(({ pattern }) => pattern.test(pathname))?.operations[verb]
}

function responseOf(operation: Operation | undefined, status: number): Untyped {
  const responses: Untyped = operation ? operation.responses : sandboxDocument['x-stray-responses']
  return resolve(responses[String(status)] ?? sandboxDocument['x-transport-responses'][status])
}

function assertHeaders(name: string, response: Untyped, headers: Headers, free: boolean): void {
  const declared = declaredHeaders.get(response) ?? headersOf(response)
  declaredHeaders.set(response, declared)
  for (const [header, value] of headers) {
    if (transportHeaders.has(header)) continue
    const schema = declared.get(header)?.schema
    assert.ok(
      schema,
      `${name}: the header ${header} is not described: add it to src/http/openapi/headers.ts and to the responses that have it`,
    )
    assertValid(`${name} ${header}`, schema, schema.type === 'integer' ? Number(value) : value)
  }
  for (const [header, { required }] of declared) {
    const expected = required && !(free && header.includes('ratelimit'))
    assert.ok(!expected || headers.has(header), `${name}: the header ${header} is missing`)
  }
}

function headersOf(response: Untyped): ReadonlyMap<string, Untyped> {
  return new Map(Object.entries(response.headers).map(([header, value]) => [header.toLowerCase(), resolve(value)]))
}

function assertBody(name: string, response: Untyped, headers: Headers, body: Untyped): void {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const others = [...(response['x-files'] ?? []), ...('x-event-stream' in response ? ['text/event-stream'] : [])]
  const content = others.includes(type)
    ? { schema: { type: 'string' } }
    : (response.content?.[type] ?? response.content?.['*/*'])
  assert.ok(content, `${name}: ${type} is not described`)
  assertValid(name, content.schema, body)
  const codes: string[] | undefined = response['x-error-codes']
  if (codes) assert.ok(codes.includes(body.error.code), `${name}: the code ${body.error.code} is not described`)
}

function assertParameters(name: string, operation: Operation, given: string[]): void {
  const declared = declaredNames.get(operation) ?? namesOf(operation)
  declaredNames.set(operation, declared)
  for (const parameter of given) assert.ok(declared.has(plainName(parameter)), `${name}: ${parameter} is not described`)
}

function namesOf({ parameters }: Operation): Set<string> {
  return new Set(parameters.map((each) => plainName((resolve(each) as Untyped).name)))
}

/** The document describes one of the two forms of a filter (decision C5), and all filters on declared fields as one parameter (decision J3). */
function plainName(parameter: string): string {
  const plain = parameter.replace(/^filter\[([\w.]+)\]/, '$1')
  return declaredFilter.test(plain) ? 'declared' : plain
}

const declaredFilter = new RegExp(Object.keys(document.components.schemas!.DeclaredFilters!.patternProperties!)[0]!)

export function assertValid(name: string, schema: JsonSchema, value: unknown): void {
  const validate = validatorOf('responses', schema)
  if (!validate(value)) assert.fail(`${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
}

/** Whether a body is valid by a schema. It may have undeclared members. */
export function isValid(schema: JsonSchema, body: unknown): boolean {
  return validatorOf('bodies', schema)(body)
}

function validatorOf(base: 'responses' | 'bodies', schema: JsonSchema): ValidateFunction {
  const found = known[base].get(schema)
  if (found) return found
  const text = JSON.stringify(schema)
  const key = `${base} ${text}`
  const validate = validators.get(key) ?? ajv.compile(JSON.parse(text.replaceAll('"#/', `"${base}#/`)))
  validators.set(key, validate)
  known[base].set(schema, validate)
  return validate
}

export function resolve(value: Untyped): Untyped {
  if (typeof value?.$ref !== 'string') return value
  const [, , kind, name] = value.$ref.split('/')
  return document.components[kind]![name]
}

/** The same schemas without undeclared members in objects. */
function closed(schema: Untyped): Untyped {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = inner.type === 'object' && inner.properties && inner.additionalProperties === undefined
  return isObject ? { ...inner, additionalProperties: false } : inner
}
