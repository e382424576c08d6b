import type { JsonSchema } from '../../engine/records/describe.ts'
import type { OpenApiDocument, Operation } from './operation.ts'

type Properties = Readonly<Record<string, JsonSchema>>

/** Summarizes the document in Markdown for language models: the guide, a few lines for each endpoint, one line for each object. */
export function summarizeDocument(document: OpenApiDocument): string {
  const { info, tags, paths } = document
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ start: `${method.toUpperCase()} ${path}`, operation })),
  )
  const sections = tags.map(({ name, description }) => {
    const own = endpoints.filter(({ operation }) => operation.tags.includes(name))
    const lines = own.map(({ start, operation }) => endpointText(document, start, operation))
    return `### ${name}\n\n${description}\n\n${lines.join('\n')}\n`
  })
  return [
    `# ${info.title}\n\n> ${info.summary} The complete description, with every parameter: [openapi.json](openapi.json)\n\n${info.description}`,
    `## Endpoints\n\n${sections.join('\n')}`,
    `## Types\n\n\`*\`: always present, or required; \`?\`: may be null.\n\n${typeLines(document).join('\n')}\n`,
  ].join('\n')
}

function endpointText(document: OpenApiDocument, start: string, operation: Operation): string {
  const { summary, description, requestBody, responses } = operation
  const names = queryNames(document, operation).filter((name) => /^(?:\w+|filter\[\w+\])$/.test(name))
  const [status, success] = Object.entries(responses)[0]!
  const response = contentSchema(success)
  return [
    `- \`${start}\`: ${summary}. ${description.replaceAll('\n\n', ' ')}`,
    ...(names.length > 0 ? [`  - query: ${names.join(', ')}`] : []),
    ...(requestBody ? [`  - body: ${bodyText(document, requestBody)}`] : []),
    ...(response?.$ref ? [`  - ${status}: ${shapeText(document, response)}`] : []),
  ].join('\n')
}

function bodyText(document: OpenApiDocument, requestBody: JsonSchema): string {
  const schema = contentSchema(requestBody)
  return schema ? typeText(document, schema) : 'the bytes of the file'
}

/** Every object in a request or response, and every enumeration. */
function typeLines(document: OpenApiDocument): string[] {
  const types = Object.entries(document.components.schemas!).filter(
    ([name, { properties, enum: words }]) => words || (properties && !/(?:Response|List)$/.test(name)),
  )
  return types.map(
    ([name, schema]) => `- ${name}: ${schema.enum ? typeText(document, schema) : membersText(document, schema)}`,
  )
}

function queryNames(document: OpenApiDocument, { parameters }: Operation): string[] {
  const resolved = parameters.map((each) => resolve(document, each))
  return resolved.filter((each) => each.in === 'query').map(({ name }) => String(name))
}

/** An object with its members, or the type of a body that has none. */
function shapeText(document: OpenApiDocument, schema: JsonSchema): string {
  return resolve(document, schema).properties ? `{ ${membersText(document, schema)} }` : typeText(document, schema)
}

/** `name*: string, status: "lead" | "active"` */
function membersText(document: OpenApiDocument, schema: JsonSchema): string {
  const { properties, required = [] } = resolve(document, schema) as { properties: Properties; required?: string[] }
  const members = Object.entries(properties).map(
    ([name, each]) => `${name}${required.includes(name) ? '*' : ''}: ${typeText(document, each)}`,
  )
  return members.join(', ')
}

function typeText(document: OpenApiDocument, schema: JsonSchema): string {
  const { $ref, anyOf, type, items, format, properties } = schema
  if (typeof $ref === 'string') {
    const target = resolve(document, schema)
    return target.properties || target.enum ? $ref.split('/').at(-1)! : typeText(document, target)
  }
  if (Array.isArray(anyOf)) return `${typeText(document, anyOf[0])}?`
  if (schema.enum) return (schema.enum as string[]).map((word) => JSON.stringify(word)).join(' | ')
  if (Array.isArray(type)) return `${typeText(document, { ...schema, type: type[0] })}?`
  if (type === 'array') return `[${typeText(document, items as JsonSchema)}]`
  if (properties) return `{ ${membersText(document, schema)} }`
  return String(format ?? type)
}

function contentSchema(holder: JsonSchema): JsonSchema | undefined {
  const content = holder.content as Record<string, { schema: JsonSchema }> | undefined
  return content?.['application/json']?.schema
}

function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  const [, , kind, name] = schema.$ref.split('/')
  return document.components[kind!]![name!]!
}
