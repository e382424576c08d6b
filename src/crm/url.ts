import * as v from 'valibot'
import { rule } from '../engine/definition/faults.ts'
import type { Kind } from '../engine/definition/resource.ts'
import { text } from '../engine/definition/text-kinds.ts'

const urlMax = 2_048
const examples = ['https://example.com/kontor', 'https://hooks.example.org/crm?source=kontor']

/** An absolute http or https URL. */
export function url(): Kind {
  const shape = { type: 'string', format: 'uri', maxLength: urlMax }
  return {
    ...text({ max: urlMax }),
    kind: 'url',
    schema: (label) =>
      v.pipe(
        text({ max: urlMax }).schema(label),
        rule('INVALID_FORMAT', (value) => isWebUrl(String(value ?? '')), `${label} must be an http or https URL`),
        v.transform((value) => new URL(String(value)).href),
      ),
    shape: { ...shape, examples },
    input: { ...shape, examples },
    examples,
  }
}

function isWebUrl(value: string): boolean {
  return value === '' || /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}
