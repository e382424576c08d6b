import * as v from 'valibot'
import { rule } from '../../engine/definition/faults.ts'
import { text } from './read.ts'

const starsMax = 4
const starsMessage = `path must have at most ${starsMax} asterisks`

/** Which requests: by method and path, where `*` stands for any text. */
export const matchMembers = {
  method: v.optional(text('method', 10)),
  path: v.optional(
    v.pipe(
      text('path', 500),
      rule('INVALID_VALUE', (value) => value.split('*').length <= starsMax + 1, starsMessage),
    ),
  ),
}
