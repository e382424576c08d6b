import { records } from '../../crm/records.ts'
import { declare, isLarge, setUnique, tooLarge, undeclare } from '../../engine/records/declared/declare.ts'
import { declaredMax, isDeclarable } from '../../engine/records/declared/declared.ts'
import { prefix } from '../../engine/records/declared/find.ts'
import { declaredTypes } from '../../engine/records/declared/types.ts'
import { resource } from '../../engine/records/define.ts'
import type { Change, Row } from '../../engine/records/definition/change.ts'
import { invalid, quote } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { fixed, required } from '../../engine/records/kinds/fields.ts'
import { texts } from '../../engine/records/kinds/list-kinds.ts'
import { choice, pattern, text } from '../../engine/records/kinds/text-kinds.ts'
import { flag, position } from '../../engine/records/kinds/value-kinds.ts'
import { lookupRequiring } from '../../engine/records/rows/requirements.ts'
import { ApiError, type Detail, validationError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'

/** The resources for which fields can be declared. */
export const declarable: readonly Resource[] = records.filter(isDeclarable)

const keyForm = /^[A-Za-z][A-Za-z0-9_]{0,49}$/
const keyMax = 50
const optionsMax = 100
const optionMax = 100

/** A declared field: `metadata.<key>` is indexed, so that lists filter and sort by it (decision J3). */
export const field = resource('field', {
  path: 'api-v1-fields',
  scope: { read: 'read:any', write: 'admin:all' },
  counted: false,
  fields: {
    resource: fixed(
      required(
        choice(
          declarable.map(({ name }) => name),
          { grows: true },
        ),
        'Resource is required',
      ),
    ),
    key: fixed(
      required(
        pattern(keyForm, `a name of up to ${keyMax} letters, digits and underscores that begins with a letter`, {
          examples: ['tax_id', 'renewsOn'],
          max: keyMax,
        }),
        'Key is required',
      ),
    ),
    label: text(),
    type: fixed(required(choice(declaredTypes), 'Type is required')),
    options: texts({ max: optionsMax, lengthMax: optionMax }),
    unique: flag(),
    position: { ...position(), default: 0 },
  },
  filters: ['resource', 'key', 'type', 'created_at', 'updated_at'],
  sorts: ['position', 'resource', 'key', 'created_at', 'updated_at'],
  defaultSort: 'position',
  pageSize: { default: 50, max: 100 },
  title: ['key'],
  unique: 'key',
  max: declaredMax,
  within: 'resource',
  mayRemove: requireUnused,
  beforeWrite: keepIndex,
  beforeRemove: ({ tx, id }) => undeclare(tx, id),
  mayRestore: requireIndexable,
  beforeRestore: index,
  about: {
    summary: 'A member of metadata that is declared: lists of its resource filter and sort by `metadata.<key>`.',
    fields: {
      resource: 'The records whose metadata has it.',
      key: 'The name of the member. Unique for each resource, case-insensitively.',
      type: 'Values of another type are kept and not indexed: filters find them as empty.',
      options:
        'The values of a `choice`, in the order in which lists sort them, or of `choices`, of which a record has several as a list; these contain no `;` and no `,`. Other types ignore them.',
      unique:
        'Whether a record is refused if another one has the same value, as the filter `eq` compares it: text and URLs exactly, but trimmed.',
      position: 'Its place in forms and lists.',
    },
    conflicts: {
      delete: 'A stage requires the field.',
      patch: 'Records have the same value of a field that becomes unique: their ids are in the message.',
    },
    example: { resource: 'organization', key: 'employees', label: 'Employees', type: 'number', position: 1 },
    patch: { label: 'Headcount' },
  },
})

/** Indexes a new field, and one whose options have changed. */
function keepIndex(change: Change): void {
  const { before, after, tx } = change
  requireChoices(after)
  const hasOptions = ['choice', 'choices'].includes(String(after.type))
  if (!before || (before.options !== after.options && hasOptions)) index(change)
  else if (before.unique !== after.unique) setUnique(resourceOf(after), tx, declarationOf(change))
}

/** Cells and filters list several options, and a record may share each of its own with others. Throws VALIDATION_ERROR. */
function requireChoices({ type, options, unique }: Row): void {
  if (type !== 'choices') return
  const details: Detail[] = []
  const listed = (JSON.parse(String(options)) as string[]).find((option) => /[;,]/.test(option))
  if (listed !== undefined)
    details.push(invalid('options', `An option of choices contains no semicolon and no comma: ${quote(listed)}`))
  if (unique === 1) details.push(invalid('unique', 'Unique is for fields with one value: a field of choices cannot be'))
  if (details.length > 0) throw validationError(details)
}

/** A field that records must have to enter others stays. */
function requireUnused(reader: Reader, id: string, planned: ReadonlyMap<string, Row | null>): void {
  const sql = 'SELECT resource, key FROM field WHERE workspace_id = :workspace AND id = ?'
  const row = reader.row<Row>(sql, id)!
  const name = `${prefix}${row.key}`
  const holder = lookupRequiring(resourceOf(row), reader, name, planned)
  if (holder !== undefined) {
    throw new ApiError('CONFLICT', `${name} is required by ${quote(holder)}: remove it from what that requires first`)
  }
}

/** The trash waits for the index (`unique-field.ts`), an undo does not. */
function requireIndexable(reader: Reader, after: Row): void {
  const resource = resourceOf(after)
  if (after.unique === 1 && isLarge(resource, reader)) {
    throw tooLarge(resource, 'restore the field from the trash, which waits until it is indexed')
  }
}

function index(change: Change): void {
  declare(resourceOf(change.after), change.tx, declarationOf(change))
}

function resourceOf({ resource }: Row): Resource {
  return declarable.find(({ name }) => name === resource)!
}

function declarationOf({ id, after: { key, type, options, unique } }: Change) {
  return { fieldId: id, key: String(key), type: String(type), options: String(options), isUnique: unique === 1 }
}
