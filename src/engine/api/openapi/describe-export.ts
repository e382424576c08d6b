import { columnsOf } from '../../finding/export/columns.ts'
import { formatsOf, mediaTypeOf } from '../../finding/export/formats.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Parameter } from '../../records/describe.ts'

/** The media types that export a list. */
export function mediaTypesOf(resource: Resource): string[] {
  return formatsOf(resource).map(mediaTypeOf)
}

export function aboutExport(resource: Resource): string | undefined {
  const types = mediaTypesOf(resource).map((type) => `\`Accept: ${type}\``)
  if (types.length === 0) return undefined
  return `With ${types.slice(0, -1).join(', ')} or ${types.at(-1)}, the response is a file of every record that the filters match, as of one moment and without pages. A company reads one export at a time, for up to five minutes.`
}

/** The parameters of a CSV file. */
export function exportParameters(resource: Resource): Parameter[] {
  if (formatsOf(resource).length === 0) return []
  const columns = columnsOf(resource, [])
  const names = columns.flatMap(({ name, isUsed }) => (isUsed === undefined ? name : []))
  const rare = columns.flatMap(({ name, isUsed }) => (isUsed === undefined ? [] : name))
  const declared = names.includes('metadata') ? ', and `metadata.<key>` of each declared field' : ''
  const further = rare.length > 0 ? `; ${rare.join(' and ')} if there are several` : ''
  return [
    {
      name: 'columns',
      about: `Of \`text/csv\`: the columns, separated by commas. Default: ${names.join(', ')}${declared}${further}. Items have a column for each of their fields.`,
      schema: { type: 'string' },
    },
    {
      name: 'raw',
      about:
        "Of `text/csv`: `1` writes cells that a spreadsheet would run as formulas as they are. Without it they begin with `'`, which an import removes.",
      schema: { type: 'string', enum: ['1'] },
    },
    {
      name: 'bom',
      about:
        'Of `text/csv`: `1` begins the file with a byte order mark, by which spreadsheet programs recognize UTF-8.',
      schema: { type: 'string', enum: ['1'] },
    },
  ]
}
