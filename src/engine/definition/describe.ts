import type { ErrorCode } from '../../errors.ts'
import type { Action, Collection, Operation, Resource } from './define.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

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

/** What a resource tells of itself. */
export interface ResourceAbout {
  readonly summary: string
  /** By field, where its name does not say it. */
  readonly fields?: Readonly<Record<string, string>>
  /** What stands in the way of changing or deleting a record. */
  readonly conflicts?: Partial<Record<Operation, string>>
  /** A record that a server makes of this body; references lead to the example records where it names none. */
  readonly example: Values
  /** What its body does not say of that record. */
  readonly shown?: Values
  /** A change of it. */
  readonly patch?: Values
  /** What other records a list shows besides, by what differs. */
  readonly listed?: readonly Values[]
  /** What is shown once, when it is made. */
  readonly once?: Readonly<Record<string, { schema: JsonSchema; example: unknown }>>
}

/** The same of a collection's items. */
export interface ItemAbout {
  readonly fields?: Readonly<Record<string, string>>
  /** The example record's only one, and one that is added to it, with every field. */
  readonly first: Values
  readonly second: Values
  /** A change of the first. */
  readonly patch: Values
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
