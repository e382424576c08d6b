import * as v from 'valibot'
import { text } from './read.ts'

/** Which requests: by method and path, where `*` stands for any text. */
export const matchMembers = { method: v.optional(text('method', 10)), path: v.optional(text('path', 500)) }
