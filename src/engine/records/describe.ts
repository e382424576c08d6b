import type { ErrorCode } from '../../errors.ts'
import type { JsonSchema, Operation } from './definition/about.ts'
import type { Action } from './definition/options.ts'
import type { Collection, Resource } from './definition/resource.ts'

export type { JsonSchema } from './definition/about.ts'

export type Values = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly schema: JsonSchema
  readonly about?: string
  readonly required?: true
}

/** An example request and its response, in a workspace that holds the example record of each resource. */
interface Example {
  /** The path parameters by name. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly response: unknown
}

/** The documentation of an endpoint, in addition to its route and to what all endpoints have in common. */
export interface Description {
  /** The operation's name in generated clients: `listDeals`. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly details?: string
  readonly query?: readonly Parameter[]
  readonly body?: JsonSchema
  /** If the body is a file of any type: an example of one. */
  readonly file?: string
  readonly response: {
    readonly status?: 200 | 201 | 202
    readonly about: string
    readonly schema: JsonSchema
    /** Default: JSON. */
    readonly mediaType?: string
    /** Whether it has an `ETag`; `readable`: for a caller that may read the record. */
    readonly tagged?: boolean | 'readable'
    /** Whether it can have `Kontor-Duplicate-Of` (decision K5). */
    readonly compared?: boolean
    /** An example of the text of its event stream, if clients may ask for one (decision G6). */
    readonly events?: string
    /** The media types of the files that clients may ask for instead (decision K1). */
    readonly files?: readonly string[]
  }
  /** The response is content of any type, whole or in part. */
  readonly sent?: string
  /** The response if the work is queued instead (202). */
  readonly queued?: { readonly about: string; readonly schema: JsonSchema }
  /** The response to a creation of what exists already (200). */
  readonly existing?: { readonly about: string; readonly schema: JsonSchema }
  /** Whether a header says what became of what was sent. */
  readonly tellsOutcome?: boolean
  /** Whether `If-Match` is supported; default: for PATCH and DELETE (decision B14). */
  readonly conditional?: boolean
  /** The scopes that may be required, if the route's own scope is `any` because the handler checks them. */
  readonly scopes?: readonly string[]
  /** Errors that not every endpoint returns, and when. */
  readonly errors?: Partial<Record<ErrorCode, string>>
  /** Whether its 404 can have a `Link` (decision K6). */
  readonly linked?: boolean
  /** When the status is 410 (decision G7). */
  readonly gone?: string
  readonly example: Example
}

/** Builds descriptions. It is loaded on demand, because requests do not need it. */
export interface Describer {
  /** A reference to the schema of this name, which is built once. */
  schema(name: string, make: () => JsonSchema): JsonSchema
  /** The tag of a resource's endpoints. */
  tag(resource: Resource): string
  /** A tag for endpoints that belong to no resource. */
  topic(name: string, about: string): string
  /** A record in a response. */
  record(resource: Resource): JsonSchema
  /** The body that creates a record, and an example. */
  body(resource: Resource): JsonSchema
  /** A record of a bulk import. */
  importBody(resource: Resource): JsonSchema
  exampleBody(resource: Resource): Values
  /** A field's schema. */
  field(resource: Resource, name: string): JsonSchema
  /** An object with all of these members. */
  object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema
  /** A named schema `{ data: … }` around another one. */
  envelope(name: string, data: JsonSchema): JsonSchema
  /** A response that shows one record. */
  shown(resource: Resource, about: string): Description['response']
  exampleId(name: string): string
  /** The example record after a change. */
  exampleRecord(resource: Resource, change?: Values, changed?: boolean): Values
  readonly madeAt: string
  readonly changedAt: string
  operation(resource: Resource, operation: Operation): Description
  action(resource: Resource, action: Action): Description
  item(of: ItemsOf, operation: ItemOperation): Description
}

export type ItemOperation = 'create' | 'patch' | 'delete'

/** A resource's collection and its name. */
export interface ItemsOf {
  readonly resource: Resource
  readonly collection: Collection
  readonly name: string
}

/** How a route describes itself. */
export type Describe = (doc: Describer) => Description
