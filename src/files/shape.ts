import type { Hint } from './column-hints.ts'

/** A record as the bulk import accepts it. */
export type FileRecord = Record<string, unknown>

/** What the matcher knows about a resource: a part of its description. */
export interface Shape {
  readonly name: string
  readonly fields: readonly ShapeField[]
  /** `as` is the name in responses. */
  readonly collections: Readonly<Record<string, { readonly as: string; readonly fields: readonly ShapeField[] }>>
  /** The name that a reference's record is included under, by the reference's field. */
  readonly relations: Readonly<Record<string, string>>
  /** How a file names the records of relations, by the name of the relation; without those that it cannot name. */
  readonly named: Readonly<Record<string, NamedRelation>>
  /** The resource of linked records, by the name of the link: the people on a deal. */
  readonly links?: Readonly<Record<string, string>>
  /** What records can be matched by besides unique declared fields, with the field or collection that has it. */
  readonly matchedBy: Readonly<Record<string, string>>
  /** The declared fields of its metadata. */
  readonly declared: readonly DeclaredField[]
}

export interface NamedRelation {
  /** `organization` */
  readonly noun: string
  /** The path of the list that has the record. */
  readonly path: string
  /** What the record is found by, besides `metadata.<key>`. */
  readonly by: readonly string[]
  /** Whether the server creates what is missing. */
  readonly isCreated?: true
  /** What a record may name besides, if several have the name: `pipeline: {name}` (decision T1). `field`: the reference to it. */
  readonly within?: { readonly name: string; readonly path: string; readonly field: string }
}

export interface ShapeField {
  readonly name: string
  readonly label: string
  readonly kind: string
  readonly required: boolean
  readonly readonly: boolean
  readonly options?: readonly string[]
  /** Whether a number keeps all its digits. */
  readonly exact?: boolean
  /** The field with the currency of an amount. */
  readonly currency?: string
}

export interface DeclaredField {
  readonly key: string
  readonly label: string | null
  readonly type: string
  /** Whether all records differ in it, so that they can be matched by it. */
  readonly unique?: boolean | undefined
  /** Reads a cell; default: by the type. */
  read?(cell: string, hint: Hint): unknown
}

/** The name that is split into a first and a last name. */
export const fullName = 'full_name'

/** The same, for cells in which the last name is first: `Müller Eva`. */
export const fullNameLastFirst = `${fullName}:last_first`

/** Whether records have a first and a last name. */
export function isPerson({ fields }: Shape): boolean {
  return ['first_name', 'last_name'].every((name) => fields.some((field) => field.name === name))
}

export function isFullName(path: string | undefined): boolean {
  return path === fullName || path === fullNameLastFirst
}

/** The required fields that no path fills. */
export function missingFields(shape: Shape, paths: readonly (string | undefined)[]): ShapeField[] {
  const isNamed = (relation: string | undefined) =>
    relation !== undefined && paths.some((path) => path?.startsWith(`${relation}.`))
  const isFilled = (name: string) =>
    paths.includes(name) || (name === 'first_name' && paths.some(isFullName)) || isNamed(shape.relations[name])
  return shape.fields.filter(({ name, required, readonly }) => required && !readonly && !isFilled(name))
}
