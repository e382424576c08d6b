import type { ErrorCode } from '../../errors.ts'
import type { JsonSchema, Operation } from './about.ts'
import type { Action, Collection, Resource } from './resource.ts'

export type { JsonSchema } from './about.ts'

type Values = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly schema: JsonSchema
  readonly about?: string
}

/** A request and its answer that a server gives in the workspace of all examples: one record of each kind. */
export interface Example {
  /** By the names in the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly response: unknown
}

/** What an endpoint tells of itself, beyond what its route says and what holds for every endpoint. */
export interface Description {
  /** Its name in generated clients: `listDeals`. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly details?: string
  readonly query?: readonly Parameter[]
  readonly body?: JsonSchema
  readonly response: {
    readonly status?: 200 | 201 | 202
    readonly about: string
    readonly schema: JsonSchema
    /** Whether it carries an `ETag`. */
    readonly tagged?: boolean
  }
  /** Whether `If-Match` is honoured; default: where the method is PATCH or DELETE (decision B14). */
  readonly conditional?: boolean
  /** Where the route's own scope is `any` because the handler judges: those that may be needed. */
  readonly scopes?: readonly string[]
  /** When it fails in a way that not every endpoint does. */
  readonly errors?: Partial<Record<ErrorCode, string>>
  readonly example: Example
}

/** What descriptions are made with. Nothing of it is needed to serve requests, so it is loaded when somebody asks. */
export interface Describer {
  /** The reference to a schema of this name, which is made once. */
  schema(name: string, make: () => JsonSchema): JsonSchema
  /** Of the endpoints about a resource. */
  tag(resource: Resource): string
  /** A record as answers show it. */
  record(resource: Resource): JsonSchema
  /** The body that makes a record, and an example of it. */
  body(resource: Resource): JsonSchema
  exampleBody(resource: Resource): Values
  /** A field's schema. */
  field(resource: Resource, name: string): JsonSchema
  /** An object that has all of these members. */
  object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema
  /** `{ data: … }` around a schema, by a name of its own. */
  envelope(name: string, data: JsonSchema): JsonSchema
  /** An answer that shows one record. */
  shown(resource: Resource, about: string): Description['response']
  exampleId(name: string): string
  /** What the example record is after such a change. */
  exampleRecord(resource: Resource, change?: Values, changed?: boolean): Values
  readonly changedAt: string
  operation(resource: Resource, operation: Operation): Description
  action(resource: Resource, action: Action): Description
  item(of: ItemsOf, operation: ItemOperation): Description
}

export type ItemOperation = 'create' | 'patch' | 'delete'

/** A resource's collection, by its name there. */
export interface ItemsOf {
  readonly resource: Resource
  readonly collection: Collection
  readonly name: string
}

/** How a route describes itself. */
export type Describe = (doc: Describer) => Description
