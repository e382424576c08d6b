import { fold } from '../lib/text.ts'
import { findAll, type Key, type ListRecords } from './find-references.ts'
import type { FileRecord } from './shape.ts'

/** A record's name with that of its group in parentheses, as programs with several pipelines write stages: `Lead (Partners)`. */
const form = /^(.*\S)\s*\(([^()]+)\)$/

interface Grouped {
  /** The member of a record that names the related one: `stage`. */
  relation: string
  /** The list of the related records. */
  path: string
  /** Their groups: the member that names one, and their list. */
  within: { readonly name: string; readonly path: string }
  list: ListRecords
  /** Whether groups need not exist. */
  isLoose: boolean
}

/**
 * Makes `{stage: {name: 'Lead'}, pipeline: {name: 'Partners'}}` of `{stage: {name: 'Lead (Partners)'}}`, unless there is a record of the
 * whole name, the group does not exist, or the record names another one.
 */
export async function readGroupForms(
  records: readonly FileRecord[],
  { relation, path, within, list, isLoose }: Grouped,
): Promise<void> {
  const forms = records.flatMap((record) => {
    const whole = nameIn(record[relation])
    const [, name, group] = form.exec(whole ?? '') ?? []
    return name === undefined ? [] : [{ record, whole: whole!, name, group: group!.trim() }]
  })
  if (forms.length === 0) return
  const keys = (of: 'whole' | 'group') => forms.map((each): Key => ['name', each[of]])
  const [asWhole, groups] = [await findAll(path, keys('whole'), list), await findAll(within.path, keys('group'), list)]
  for (const { record, whole, name, group } of forms) {
    const given = nameIn(record[within.name])
    const isOther = given !== undefined && fold(given) !== fold(group)
    const isKnown = isLoose || groups('name', group).size > 0
    if (isOther || !isKnown || asWhole('name', whole).size > 0) continue
    record[relation] = { ...(record[relation] as FileRecord), name }
    record[within.name] ??= { name: group }
  }
}

function nameIn(named: unknown): string | undefined {
  const { name } = (named ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}
