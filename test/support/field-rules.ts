import type { Resource } from '../../src/engine/records/define.ts'

/** A rule between the fields of a record that its schemas do not state. It is said here once, for all tests of the contract. */
interface FieldRule {
  resource: string
  /** The fields that a patch cannot set to every valid value: their values depend on each other. */
  fields: readonly string[]
  /** The error of a body that breaks the rule. */
  message?: RegExp
  /** Whether a body obeys it; default: if it obeys `check` of the definition. */
  obeys?(body: Readonly<Record<string, unknown>>): boolean
}

const rules: readonly FieldRule[] = [
  // test/crm/message-visibility.test.ts and test/features/mail
  { resource: 'message', fields: ['status', 'audience', 'contact_ids'] },
  {
    resource: 'api_key',
    fields: [],
    message: /^User id (?:is required for a personal|must be empty for a shared) key$/,
  },
]

export function rulesOf({ name }: Resource): readonly FieldRule[] {
  return rules.filter(({ resource }) => resource === name)
}

/** Whether it is the error of a body that breaks one of the rules. */
export function isOfRule(text: string): boolean {
  return rules.some(({ message }) => message?.test(text))
}
