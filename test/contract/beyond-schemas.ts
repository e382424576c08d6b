import { isOfRule } from '../support/field-rules.ts'

export interface Fault {
  field?: string
  message: string
  code: string
}

/** Errors that a schema cannot describe: the server may return them for a body that is valid by its schema. */
export const beyondSchemas: { reason: string; covers: (fault: Fault) => boolean }[] = [
  {
    reason: 'whether a reference exists depends on the records',
    covers: ({ message }) => / not found$|^Invalid stage$|^There is no (?:stage|contact) /.test(message),
  },
  {
    reason: 'whether another record has a unique value depends on the records',
    covers: ({ message }) => message.endsWith(' already exists'),
  },
  {
    reason: 'a field of choices is never unique',
    covers: ({ message }) => message.startsWith('Unique is for fields with one value'),
  },
  {
    reason: 'whether a file still belongs to something depends on the record',
    covers: ({ message }) => message.startsWith('A file belongs to something'),
  },
  {
    reason: 'the description of a name says which characters it must not have',
    covers: ({ message }) => /^Name must not (?:contain path separators|be \. or \.\.)/.test(message),
  },
  {
    reason: 'the name may come from the product',
    covers: ({ message }) => message === 'Name is required',
  },
  {
    reason: 'a schema cannot limit the decimals of a number exactly',
    covers: ({ message }) => /with at most \d+ decimals$/.test(message),
  },
  {
    reason: 'which fields a stage can require depends on the declared ones',
    covers: ({ message }) => message.startsWith('requires cannot name'),
  },
  {
    reason: 'addresses and ids are compared case-insensitively',
    covers: ({ message }) => /^(?:This email|with\[\d+\]) is given twice$/.test(message),
  },
  {
    reason: 'whether a time is in the past depends on the clock',
    covers: ({ field, message }) => field === 'expires_at' && !message.includes('ISO 8601'),
  },
  {
    reason: 'which numbers the log has',
    covers: ({ message }) => /^The (?:oldest|newest) change of the log is|^after must be less than/.test(message),
  },
  {
    reason: 'which field is matched on depends on the query',
    covers: ({ message }) =>
      /^match_on=|^metadata\.\w+ (?:must be a value of the type|must be one of its options|is too long to be compared)/.test(
        message,
      ),
  },
  {
    reason: 'a rule between fields: generators ignore if and then, or generate worse types',
    covers: ({ message }) => isOfRule(message),
  },
  {
    reason:
      'which filters, sorts and fields a view may name depends on its resource, and whether it may be personal on the key',
    covers: ({ field = '', message }) =>
      ['filter', 'sort', 'columns', 'visibility'].includes(field) &&
      !/^(?:Filter|Sort|Columns|Visibility) must/.test(message),
  },
  {
    reason: 'size, depth and free text of metadata',
    covers: ({ field = '', message }) =>
      /^(?:fields\.)?metadata$/.test(field) && message !== 'Metadata must be a JSON object',
  },
  {
    reason: 'a name that is valid may be that of several records',
    covers: ({ message }) => message.startsWith('Several '),
  },
  {
    reason: 'regular expressions differ in how they treat unpaired surrogates',
    covers: ({ message }) => message.endsWith('must be well-formed Unicode without U+0000'),
  },
]
