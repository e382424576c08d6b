import { fold } from '../../../lib/text.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { isSearched, markOfDeclared, valueIn } from '../../records/declared/searched.ts'
import type { DeclaredType } from '../../records/declared/types.ts'
import type { SearchTarget, TargetField } from './target.ts'

/** A resource as it is searched in a workspace: with the declared fields that hold text and are indexed (decision J3). */
export function withDeclared(target: SearchTarget, declared: readonly Declared[]): SearchTarget {
  const searched = declared.filter((field) => field.isComplete && isSearched(field))
  if (searched.length === 0) return target
  return { ...target, fields: [...target.fields, ...searched.map((field) => fieldOf(target, field))] }
}

/** Types whose values identify a record. */
const exact: readonly DeclaredType[] = ['email', 'phone']

function fieldOf({ table }: SearchTarget, { number, key, type, options, isUnique }: Declared): TargetField {
  return {
    name: `metadata.${key}`,
    column: valueIn(table, key),
    key: 'key',
    form: type === 'phone' || type === 'email' ? type : 'folded',
    index: 'field_value_key',
    mark: markOfDeclared(number),
    isName: false,
    isExact: exact.includes(type) || (isUnique && type !== 'choice'),
    items: { table: 'field_value', owner: 'record_id', also: ` AND field = ${number} AND key IS NOT NULL` },
    ...(type === 'choice' && { options: options.map(fold) }),
  }
}
