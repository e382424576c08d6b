/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The fields that the engine adds to a resource. */
export type Stamp = 'created_at' | 'updated_at'

export type Operation = 'list' | 'create' | 'get' | 'patch' | 'delete'

type Values<F extends string> = Readonly<Partial<Record<F, unknown>>>
export type Texts<F extends string = string> = Readonly<Partial<Record<F, string>>>

/** The documentation of a resource. `F` are the names of its fields, `U` those of its unshown columns. */
export interface ResourceAbout<F extends string = string, U extends string = string> {
  readonly summary: string
  /** Descriptions of the fields whose names do not explain them. */
  readonly fields?: Texts<F | U>
  /** When an operation fails with CONFLICT. */
  readonly conflicts?: Partial<Record<Operation, string>>
  /**
   * A body that creates the example record; it has every required field. A reference that it leaves out refers to the example
   * record of its target.
   */
  readonly example: Values<F>
  /** Values of the example record that its body does not give. */
  readonly shown?: Values<F | Stamp>
  /** The body of an example patch. */
  readonly patch?: Values<F>
  /** The other records of the example list: what differs from the example record. */
  readonly listed?: readonly Values<F | Stamp | 'id'>[]
  /** Members that only the response to the create request has, such as a secret. */
  readonly once?: Readonly<Record<string, { schema: JsonSchema; example: unknown }>>
  /** Members that a new record needs and a patch may have, but no response has, such as a password. */
  readonly unshown?: Readonly<Record<string, { schema: JsonSchema; example: unknown }>>
}

/** The documentation of a collection's items. */
export interface ItemAbout<F extends string = string> {
  readonly fields?: Texts<F>
  /** The only item of the example record, with every field. */
  readonly first: Values<F>
  /** An item that is added to the example record, with every field. */
  readonly second: Values<F>
  /** The body of a patch of the first item. */
  readonly patch: Values<F>
}
