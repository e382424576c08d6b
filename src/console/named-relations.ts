import type { Field, Resource } from '../engine/records/definition/resource.ts'
import type { NamedRelation } from '../files/shape.ts'

/** How files name the records of a resource's relations, by the name of the relation; without those that no body sets. */
export function namedRelations({ fields, relations }: Resource): Record<string, NamedRelation> {
  const all = Object.entries(relations).flatMap(([name, { by, target, named }]): [string, NamedRelation][] => {
    const names = namesOf(target)
    if (fields[by]!.readonly || names.length === 0) return []
    const within = groupOf(target)
    const { label, path } = target
    return [
      [
        name,
        { noun: label.toLowerCase(), path, by: names, ...(named && { isCreated: true }), ...(within && { within }) },
      ],
    ]
  })
  return Object.fromEntries(all)
}

/** What lists find a record by: what it is matched by, and the texts of its summary, addresses first. A part of its title is not enough. */
function namesOf({ columns, filters, itemFilters, matchedBy, summary, title }: Resource): string[] {
  const isName = (name: string) => !title.includes(name) || title.length === 1
  const isFound = (name: string) => Object.hasOwn(itemFilters, name) || filters.includes(name)
  const texts = [...summary, ...title].filter((name) => isText(columns[name]) && isName(name))
  const names = [...new Set([...matchedBy, ...texts])].filter(isFound)
  const isAddress = (name: string) => columns[name]?.kind === 'email'
  return [...names.filter(isAddress), ...names.filter((name) => !isAddress(name))]
}

function isText(field: Field | undefined): boolean {
  return field?.kind === 'text' || field?.kind === 'email'
}

/** The group in which the name of a record is unique, such as the pipeline of a stage. */
function groupOf({ columns, within, unique, title }: Resource): NamedRelation['within'] {
  const group = within === undefined ? undefined : columns[within]?.target
  if (!group || !title.includes(unique!) || group.title.join() !== 'name') return undefined
  return { name: group.name, path: group.path, field: within! }
}
