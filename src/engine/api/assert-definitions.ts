import { type Detail, OperatorError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import { readOrder } from '../finding/list/order.ts'
import { indexOf, isCreation } from '../records/columns.ts'
import { uniqueColumnOf } from '../records/define.ts'
import type { Field, Resource } from '../records/definition/resource.ts'

/** What the definitions depend on. */
interface Environment {
  /** Every scope that a key can hold, and the names of groups of them. */
  scopes: readonly string[]
  /** Of the open database. */
  schema: Reader
}

/** Checks what the compiler cannot. Throws one error that names every resource, field and problem. */
export function assertDefinitions(resources: readonly Resource[], environment: Environment): void {
  const problems = resources.flatMap((resource) => [
    ...namingProblems(resource, resources),
    ...listProblems(resource),
    ...throughProblems(resource),
    ...relationProblems(resource),
    ...comparisonProblems(resource),
    ...exampleProblems(resource),
    ...scopeProblems(resource, environment.scopes),
    ...tableProblems(resource, environment.schema),
  ])
  if (problems.length > 0) throw new OperatorError(`Invalid resource definitions:\n  ${problems.join('\n  ')}`)
}

/** What the log calls changes of every resource. */
const ownEvents = ['created', 'updated', 'merged', 'deleted', 'restored', 'erased']

type Problems = Iterable<string>

function* namingProblems({ name, path }: Resource, resources: readonly Resource[]): Problems {
  if (!/^api-v1-[a-z/-]+$/.test(path))
    yield `${name}: the path "${path}" must be api-v1- and letters, hyphens and slashes`
  for (const key of ['name', 'path'] as const) {
    const same = resources.filter((other) => other[key] === { name, path }[key])
    if (same.length > 1) yield `${name}: another resource has the same ${key}`
  }
}

function* listProblems(resource: Resource): Problems {
  const { name, filters, sorts, stored, defaultOperators, defaultSort, pageSize } = resource
  for (const [list, names] of Object.entries({ filters, sorts })) {
    for (const field of names) {
      if (!stored[field]) yield `${name}: ${list} names ${field}, which is not a field`
      else if (!stored[field].filter) yield `${name}: ${list} names ${field}, whose kind cannot be compared`
    }
  }
  for (const [field, operator] of Object.entries(defaultOperators)) {
    if (!filters.includes(field)) yield `${name}: defaultOperators names ${field}, which is not a filter`
    else if (!stored[field]?.filter?.operators.includes(operator!)) yield `${name}: ${field} does not take ${operator}`
  }
  yield* amountProblems(resource)
  for (const field of resource.tallied) {
    if (!filters.includes(field) || stored[field]?.nullable !== false)
      yield `${name}: tallied names ${field}, which is not a filter or can be empty`
  }
  const details: Detail[] = []
  if (defaultSort !== undefined) readOrder(resource, defaultSort, details)
  for (const { message } of details) yield `${name}: defaultSort is invalid: ${message}`
  if (pageSize.default > pageSize.max) yield `${name}: the default page size is above the maximum`
  yield* itemFilterProblems(resource)
}

function* amountProblems({ name, filters, stored, amounts }: Resource): Problems {
  for (const [field, amount] of Object.entries(amounts)) {
    const { currency, of } = amount!
    if (!filters.includes(field)) yield `${name}: amounts names ${field}, which is not a filter`
    const isOther = Object.values(amounts).some((each) => each!.currency === currency && each!.of !== of)
    if (isOther) yield `${name}: amounts takes ${currency} from several records`
    if (!(of ? stored[of]?.target?.fields : stored)?.[currency]) yield `${name}: ${field} has no currency ${currency}`
  }
}

function* itemFilterProblems({ name, itemFilters, collections }: Resource): Problems {
  for (const [filter, { collection, field }] of Object.entries(itemFilters)) {
    const of = collections[collection]?.fields[field]
    if (!of) yield `${name}: the item filter ${filter} names ${collection}.${field}, which is not a field`
    else if (!of.filter || (of.key && !of.keyed)) {
      yield `${name}: the item filter ${filter} needs ${field} among the filters of ${collection}`
    }
  }
}

function* throughProblems({ name, fields, through, defaultSortThrough, partOf }: Resource): Problems {
  for (const { by, field } of [...Object.values(through), ...(defaultSortThrough ? [defaultSortThrough] : [])]) {
    const { filter, kind, key, keyed } = fields[by]?.target?.fields[field] ?? {}
    if (!filter || kind === 'choice' || (key && !keyed))
      yield `${name}: ${by} does not lead to a field ${field} that can be compared`
  }
  if (partOf !== undefined && !fields[partOf]?.target) yield `${name}: partOf names ${partOf}, which is no reference`
}

function* relationProblems({ name, fields, columns, relations, summary, unique, actions, events }: Resource): Problems {
  for (const [relation, { by, target, fields: shown }] of Object.entries(relations)) {
    if (fields[by]?.target !== target)
      yield `${name}: ${by} of the relation ${relation} is no reference to ${target.name}`
    for (const field of shown) {
      if (field !== 'id' && !Object.hasOwn(target.columns, field))
        yield `${name}: the relation ${relation} shows ${field}, which ${target.name} lacks`
    }
  }
  for (const field of summary) {
    if (field !== 'id' && !columns[field]) yield `${name}: summary names ${field}, which is not a field`
  }
  if (unique !== undefined && !fields[unique]?.keyed) yield `${name}: unique names ${unique}, which is not a text field`
  for (const event of Object.keys(events)) {
    if (ownEvents.includes(event)) yield `${name}: the event ${event} is the engine's own`
  }
  for (const { path, takes } of actions) {
    const of = takes === undefined ? undefined : fields[takes]
    if (takes !== undefined && (!of || of.readonly))
      yield `${name}: the action ${path} takes ${takes}, which no body sets`
  }
}

/** What is searched, matched and compared. */
function* comparisonProblems({
  name,
  columns,
  stored,
  itemFilters,
  relations,
  search,
  matchedBy,
  duplicates,
}: Resource): Problems {
  const texts = [...(search?.fields ?? []), ...(search?.exact ?? [])]
  const compared = duplicates.flatMap(({ by, fields = [by] }) => fields)
  for (const [option, names] of Object.entries({ search: texts, matchedBy, duplicates: compared })) {
    const unknown = names.filter((each) => !stored[each] && !Object.hasOwn(itemFilters, each))
    for (const each of unknown) yield `${name}: ${option} names ${each}, which is not a field`
  }
  for (const each of texts) {
    if (stored[each] && !isText(stored[each])) yield `${name}: search names ${each}, which is not a text`
  }
  for (const each of matchedBy) {
    if (columns[each] && !columns[each].keyed)
      yield `${name}: matchedBy names ${each}, which is not a text among the filters`
  }
  const shown = [...(search?.names ?? []), ...duplicates.flatMap(({ within }) => within ?? [])]
  for (const each of shown)
    if (!columns[each]) yield `${name}: search or duplicates names ${each}, which is not a field`
  for (const each of search?.subtitle ?? []) {
    if (!columns[each] && !relations[each])
      yield `${name}: search.subtitle names ${each}, which is no field or relation`
  }
}

function isText({ sqlType, kind, target }: Field): boolean {
  return (
    sqlType === 'TEXT' && !target && !['metadata', 'timestamp', 'date', 'moment', 'choice', 'choices'].includes(kind)
  )
}

/** The documentation and the tests are derived from examples. */
function* exampleProblems({ name, fields, about, operations }: Resource): Problems {
  if (!operations.includes('create')) return
  for (const field of Object.values(fields)) {
    const { required, readonly, target, examples = [] } = field
    if (required !== undefined && !target && about.example[field.name] === undefined) {
      yield `${name}: about.example lacks ${field.name}, which is required`
    }
    if (!readonly && field.kind === 'pattern' && examples.length < 2) yield `${name}: ${field.name} needs two examples`
  }
  if (operations.includes('patch') && !about.patch) yield `${name}: about.patch is missing`
}

function* scopeProblems({ name, scopes: { read, write } }: Resource, known: readonly string[]): Problems {
  for (const scope of new Set([read, write])) {
    if (!known.includes(scope)) yield `${name}: no key can hold the scope ${scope}; known scopes: ${known.join(', ')}`
  }
}

function* tableProblems(resource: Resource, schema: Reader): Problems {
  const { name, table, stored, filters, sorts, counted, collections, links, idLists } = resource
  const needed = ['id', 'deleted_at', 'record', ...Object.values(stored).flatMap((each) => [each.name, each.keyColumn])]
  yield* columnProblems(name, table, needed, schema)
  for (const { table, owner, fields } of Object.values(collections)) {
    const columns = Object.values(fields).flatMap((field) => [field.name, field.keyColumn])
    yield* columnProblems(name, table, ['id', owner, ...columns], schema)
  }
  for (const { table, to } of [...Object.values(links), ...Object.values(idLists)]) {
    yield* indexProblems(name, `${table}_${to}`, schema)
  }
  yield* uniqueProblems(resource, schema)
  if (!counted) return
  const listed = Object.values(stored).filter((field) => [...filters, ...sorts].includes(field.name))
  for (const field of listed.filter((each) => !isCreation(each))) {
    yield* indexProblems(name, indexOf(resource, field), schema)
  }
}

function* indexProblems(name: string, index: string, schema: Reader): Problems {
  const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?"
  if (schema.value(sql, index) === undefined) yield `${name}: the index ${index} is missing in schema.sql`
}

function* uniqueProblems(resource: Resource, schema: Reader): Problems {
  const { name, table, unique, within } = resource
  const uniqueIndexes = `SELECT 1 FROM pragma_index_list(?, 'main') AS list, pragma_index_info(list.name) AS info
    WHERE list."unique" AND info.seqno = ? AND info.name = ?`
  if (unique === undefined) return
  const column = uniqueColumnOf(resource)
  if (schema.value(uniqueIndexes, table, within ? 2 : 1, column) === undefined) {
    yield `${name}: schema.sql has no unique index on ${column}`
  }
}

function* columnProblems(name: string, table: string, needed: readonly string[], schema: Reader): Problems {
  const found = schema.values<string>('SELECT name FROM pragma_table_xinfo(?)', table)
  if (found.length === 0) yield `${name}: schema.sql has no table ${table}`
  else {
    const missing = new Set(['workspace_id', ...needed].filter((column) => !found.includes(column)))
    for (const column of missing) yield `${name}: the table ${table} has no column ${column}`
  }
}
