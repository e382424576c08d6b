import type { JsonSchema } from '../../engine/records/describe.ts'

export interface Operation {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  parameters: readonly JsonSchema[]
  responses: Readonly<Record<string, JsonSchema>>
  requestBody?: JsonSchema
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: JsonSchema
    license: JsonSchema
  }
  servers: readonly JsonSchema[]
  tags: readonly { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, JsonSchema>>
  /** Responses to requests that match no operation. */
  'x-stray-responses': JsonSchema
  /** Errors of HTTP itself, which any request can get. */
  'x-transport-responses': JsonSchema
}
