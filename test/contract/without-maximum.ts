import { after } from 'node:test'
import { resources } from '../../src/features/index.ts'

/** Lets the tests of a file create more records than a workspace may have of some resources. test/webhooks tests the maximum. */
export function withoutMaximum(): void {
  const maxima = resources.map((each) => [each, each.max] as const)
  for (const [each] of maxima) Object.assign(each, { max: undefined })
  after(() => {
    for (const [each, max] of maxima) Object.assign(each, { max })
  })
}
