import { resources } from '../../src/crm/index.ts'

// The contract tests create more records than a workspace may have of some resources. test/webhooks tests the maximum.
for (const each of resources) Object.assign(each, { max: undefined })
