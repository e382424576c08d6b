import * as v from 'valibot'
import { rule } from '../../engine/records/definition/faults.ts'
import { text } from '../read-members.ts'

const path = v.pipe(
  text('path', 500),
  rule('INVALID_FORMAT', (value) => /^[/*]/.test(value), 'path must begin with / or *, as in /api-v1-deals*'),
)

/** Which requests: by method and path, where `*` stands for any text. */
export const matchMembers = { method: v.optional(text('method', 10)), path: v.optional(path) }
