import { queryLengthMax, wordsMax } from '../engine/finding/search/query-text.ts'
import type { JsonSchema } from '../engine/records/definition/about.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import type { Describer, Description } from '../engine/records/describe.ts'
import { limitDefault, limitMax } from './search-query.ts'

/** decision J1 */
export function describeSearch(doc: Describer, resources: readonly Resource[]): Description {
  const types = resources.map(({ name }) => name)
  const fields = resources.map(({ name, search }) => `${name} (${search!.fields.join(', ')})`)
  return {
    id: 'searchRecords',
    tag: doc.topic('Search', 'Finds records of several resources by words.'),
    summary: 'Search all records',
    details: `Finds records that have every word of \`q\`, in any order, each in one of these fields: ${fields.join('; ')}; or in a declared field that holds text (\`metadata.<key>\`). A word may begin or be inside a word of the text; case and accents do not matter, and telephone numbers are compared by their digits, in national and international notation if the company has a phone country. No character is a wildcard.\n\nThe order: records whose email, phone, domain, unique text of a declared field or id is \`q\`; then those whose name begins with \`q\` or with its words; then those where every word begins a word; then the others. Within each, the latest change is first. If more than 2,000 records of a type may match, the last two groups have the 2,000 of them that changed last.\n\nIf no word has three characters, each must begin a word of a text; in scripts without spaces, such as Chinese, it may be at any place.\n\nA new or changed record is found by the next request. Types that the key may not read are left out.`,
    query: [
      {
        name: 'q',
        schema: { type: 'string', minLength: 1, maxLength: queryLengthMax },
        about: `At most ${wordsMax} words.`,
        required: true,
      },
      {
        name: 'types',
        schema: { type: 'string' },
        about: `Separated by commas: ${types.map((type) => `\`${type}\``).join(', ')}. Default: all.`,
      },
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault } },
    ],
    response: {
      about: 'The best matches.',
      schema: doc.envelope('SearchResults', { type: 'array', items: resultSchema(doc, types) }),
    },
    errors: {
      INSUFFICIENT_PERMISSIONS: 'The key may read none of the types.',
    },
    example: {
      query: { q: 'mueller.example', types: 'organization' },
      response: {
        data: [
          {
            ...{ type: 'organization', id: doc.exampleId('organization'), title: 'Müller Feinkost' },
            ...{ subtitle: 'mueller.example · Munich', matched: [{ field: 'domain', text: 'mueller.example' }] },
          },
        ],
      },
    },
  }
}

function resultSchema(doc: Describer, types: readonly string[]): JsonSchema {
  const text = { type: 'string' } as const
  return doc.schema('SearchResult', () =>
    doc.object({
      type: { type: 'string', enum: types },
      id: { type: 'string', format: 'uuid' },
      title: { type: 'string', description: 'The name of the record.' },
      subtitle: {
        type: ['string', 'null'],
        description: 'What describes it: domain and city, job title and organization, stage and organization, …',
      },
      matched: {
        type: 'array',
        description: 'The fields that have a word, at most 10, with their text or a part of a long one.',
        items: doc.schema('SearchMatch', () => doc.object({ field: text, text })),
      },
    }),
  )
}
